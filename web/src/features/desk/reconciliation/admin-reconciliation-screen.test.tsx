import { getIsAdmin } from '@sought/contract/accounts'
import { getReconciliation } from '@sought/contract/reconciliation'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aUser } from '../../../testing/samples.ts'

type Reconciliation = Parameters<typeof answer<typeof getReconciliation>>[1]

const agreed: Reconciliation = {
  lastRun: { finishedAt: '2026-11-16T03:00:12.000Z', transactions: 12 },
  total: 0,
  differences: [],
  ownMovements: [],
  setAside: [],
  unhandledEvents: [],
}

const openReconciliation = (reconciliation: Reconciliation) =>
  openScreen('/admin/reconciliation', {
    user: aUser(),
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(getReconciliation, reconciliation),
    ],
  })

test('without differences, the screen shows the time of the last comparison', async () => {
  openReconciliation(agreed)
  expect(await screen.findByRole('heading', { name: 'No differences' })).toBeVisible()
  expect(screen.getByText(/^Last compared on Nov 1[56], 2026/)).toBeVisible()
})

test('before the first comparison, the screen says that nothing was compared yet', async () => {
  openReconciliation({ ...agreed, lastRun: null })
  expect(await screen.findByRole('heading', { name: 'Not compared yet' })).toBeVisible()
})

test('each difference shows the amounts of both sides, and movements without a payment are listed separately', async () => {
  openReconciliation({
    ...agreed,
    total: 120,
    differences: [
      {
        day: '2026-11-16',
        transactionId: 'txn_1',
        paymentId: 7,
        currency: 'usd',
        expectedCents: 0,
        actualCents: -3_000,
        text: 'Payment 7: the provider has -30.00 USD in refunds, the ledger has 0.00 USD',
      },
    ],
    ownMovements: [
      {
        transactionId: 'txn_2',
        type: 'stripe_fee',
        amountCents: -250,
        currency: 'eur',
        createdAt: '2026-11-15T09:00:00.000Z',
      },
    ],
  })
  const list = await screen.findByRole('list', { name: 'Differences' })
  expect(within(list).getByRole('heading', { name: /^Payment 7/ })).toBeVisible()
  expect(within(list).getByText(/November 16, 2026, last transaction txn_1/)).toBeVisible()
  expect(
    within(list)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent),
  ).toEqual(['$0.00', '-$30.00', '-$30.00'])
  expect(screen.getByText(/^120 differences.*The oldest 1 are shown/)).toBeVisible()
  expect(screen.getByText('stripe fee')).toBeVisible()
  expect(screen.getByText('-€2.50')).toBeVisible()
})
