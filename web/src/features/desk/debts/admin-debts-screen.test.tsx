import { getIsAdmin } from '@sought/contract/accounts'
import { listAdminDebts, waiveDebt } from '@sought/contract/debts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { answer } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aSeller, aUser } from '../../../testing/samples.ts'

const debt: z.input<typeof waiveDebt.reply> = {
  id: 3,
  amount: 7_262,
  settledAmount: 1_000,
  currency: 'usd',
  reason: 'chargeback',
  paymentId: 7,
  createdAt: '2026-11-15T09:00:00.000Z',
  settledAt: null,
  waivedAt: null,
  writtenOffAt: null,
  user: { ...aSeller, name: 'Bob Seller' },
  userEmail: 'bob@example.com',
  transactionNumber: '4F7K-Q2MX-9TB3',
  itemTitle: 'A green lamp',
  waivedBy: null,
  waiveReason: null,
}

test('a debt is waived with a reason, after showing what the market bears', async () => {
  const server = openScreen('/admin/debts', {
    user: aUser(),
    answers: [answer(getIsAdmin, { isAdmin: true, role: 'finance' }), answer(listAdminDebts, [debt])],
  })
  const card = await screen.findByRole('article', { name: 'Debt of Bob Seller' })
  expect(card).toHaveTextContent('$10.00 was taken from payouts, $62.62 is left.')
  await userEvent.click(within(card).getByRole('button', { name: 'Waive' }))
  await userEvent.type(await screen.findByLabelText('Reason'), 'Our mistake')
  const waived = {
    ...debt,
    waivedAt: '2026-11-16T09:00:00.000Z',
    waivedBy: 'Root',
    waiveReason: 'Our mistake',
  }
  server.add(answer(waiveDebt, waived), answer(listAdminDebts, []))
  await userEvent.click(screen.getByRole('button', { name: 'Waive $62.62' }))
  expect(await screen.findByText('Bob Seller no longer owes $62.62.')).toBeVisible()
  expect(server.requestsTo(waiveDebt)).toMatchObject([
    { params: { id: '3' }, body: { reason: 'Our mistake' } },
  ])
  expect(await screen.findByRole('heading', { name: 'Nobody owes anything' })).toBeVisible()
})
