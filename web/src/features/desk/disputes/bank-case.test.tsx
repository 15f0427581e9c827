import { getIsAdmin } from '@sought/contract/accounts'
import {
  dismissFraudSignals,
  getDisputeDetails,
  listDisputes,
  previewBankEvidence,
  resolveDispute,
  sendBankEvidence,
} from '@sought/contract/disputes'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { type Answer, answer, refuse } from '../../../testing/fake-server.ts'
import { openScreen } from '../../../testing/open-screen.tsx'
import { aDeskDispute, aUser, noBankRecords } from '../../../testing/samples.ts'
import { daysUntil, describeDays } from './bank-deadline.ts'

const admin = aUser({ id: 'admin', name: 'Root Admin' })
const { buyer: buyerInfo, seller: sellerInfo } = aDeskDispute()
const details = {
  assignee: null,
  appealUntil: null,
  notes: [],
  ...noBankRecords,
  buyerInfo,
  sellerInfo,
  evidence: [],
  timeline: [],
}

const aChargeback = {
  id: 'du_1',
  amountCents: 5_000,
  status: 'needs_response',
  outcome: 'open' as const,
  reason: 'product_not_received',
  deadline: '2999-01-01T12:00:00.000Z',
  evidenceSentAt: null,
  openedAt: '2026-11-16T10:00:00.000Z',
  closedAt: null,
}

/** A released payment with an open chargeback. */
const released = aDeskDispute({
  status: 'completed',
  disputeReason: null,
  bankDecides: true,
  bankDeadline: aChargeback.deadline,
  chargebacks: [aChargeback],
  payout: { status: 'frozen', amountCents: 11_262, reversedCents: 0, paidAt: null },
})

const openDesk = (dispute: ReturnType<typeof aDeskDispute>, ...answers: Answer[]) =>
  openScreen('/admin/disputes', {
    user: admin,
    answers: [
      answer(getIsAdmin, { isAdmin: true, role: 'admin' }),
      answer(listDisputes, [dispute]),
      answer(getDisputeDetails, details),
      ...answers,
    ],
  })

const card = async () => within(await screen.findByRole('list', { name: 'Disputes' })).findByRole('article')
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('while the bank decides, a dispute shows the bank’s reason, the deadline and the payout, and admins cannot rule', async () => {
  const server = openDesk(released)
  const shown = await card()
  for (const text of [
    'New Dispute',
    'The card’s bank decides',
    'The bank took back $50.00: product not received.',
    'Jan 1, 2999',
    'The payout of $112.62 is frozen.',
  ])
    expect(shown).toHaveTextContent(text)
  expect(within(shown).queryByRole('button', { name: 'Mark Reviewing' })).not.toBeInTheDocument()
  await press('Review')
  const overview = await screen.findByRole('region', { name: 'Chargebacks' })
  expect(overview).toHaveTextContent('du_1$50.00, product not received: the bank decides')
  await userEvent.click(screen.getByRole('tab', { name: 'Resolution' }))
  expect(screen.getByText(/You can rule on this payment once the bank has decided/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Resolve Dispute' })).toBeDisabled()
  expect(server.requestsTo(resolveDispute)).toEqual([])
})

test('evidence is sent after a confirmation that shows it, and then shown as sent', async () => {
  const server = openDesk(
    released,
    refuse(sendBankEvidence, 'provider_failed'),
    answer(previewBankEvidence, {
      texts: [
        { name: 'purchaseIp', value: '203.0.113.7' },
        { name: 'shippingDate', value: '2026-11-16' },
        { name: 'text', value: 'Payment 7: $120.00 for “Lamp”.' },
      ],
      files: ['receipt.pdf', 'pictures.pdf'],
    }),
  )
  await card()
  await press('Send evidence to the bank')
  const shown = await screen.findByRole('region', { name: 'What is sent' })
  expect(
    within(shown)
      .getAllByRole('term')
      .map(({ nextSibling }) => nextSibling?.textContent),
  ).toEqual(['203.0.113.7', '2026-11-16', 'Payment 7: $120.00 for “Lamp”.', 'receipt.pdf, pictures.pdf'])
  expect(shown).toHaveTextContent('Paid from203.0.113.7')
  await press('Cancel')
  expect(server.requestsTo(sendBankEvidence)).toEqual([])
  await press('Send evidence to the bank')
  await press('Send Evidence')
  expect(await screen.findByText('Evidence Not Sent')).toBeVisible()
  const evidenceSentAt = '2026-11-17T10:00:00.000Z'
  server.add(
    answer(sendBankEvidence, { evidenceSentAt }),
    answer(listDisputes, [{ ...released, chargebacks: [{ ...aChargeback, evidenceSentAt }] }]),
  )
  await press('Send evidence to the bank')
  await press('Send Evidence')
  await waitFor(async () => expect(await card()).toHaveTextContent('Evidence was sent on Nov 17, 2026'))
  expect(screen.queryByRole('button', { name: 'Send evidence to the bank' })).not.toBeInTheDocument()
})

test('evidence cannot be sent after the deadline, or by an admin who is a party', async () => {
  const past = { ...aChargeback, deadline: '2026-01-01T12:00:00.000Z' }
  openDesk({ ...released, chargebacks: [past] })
  expect(await card()).toHaveTextContent('The time for evidence ended on Jan 1, 2026')
  expect(screen.queryByRole('button', { name: 'Send evidence to the bank' })).not.toBeInTheDocument()
  cleanup()
  openDesk({ ...released, sellerId: admin.id })
  expect(await card()).toHaveTextContent('The card’s bank decides')
  expect(screen.queryByRole('button', { name: 'Send evidence to the bank' })).not.toBeInTheDocument()
})

test('the bank’s decision about a released payment is shown under its outcome', async () => {
  openDesk(
    aDeskDispute({
      status: 'completed',
      deskStatus: 'resolved_partial',
      chargebacks: [{ ...aChargeback, outcome: 'lost', closedAt: '2026-11-20T10:00:00.000Z' }],
      payout: { status: 'frozen', amountCents: 11_262, reversedCents: 5_000, paidAt: aChargeback.openedAt },
    }),
  )
  expect(await card()).toHaveTextContent('Resolved - Partial')
  await press('Review')
  await userEvent.click(await screen.findByRole('tab', { name: 'Resolution' }))
  expect(
    screen.getByText(/The card’s bank decided. \$50.00 of the payout of \$112.62 was taken back/),
  ).toBeVisible()
})

test('an admin lets a suspicious payment continue, after a confirmation', async () => {
  const server = openDesk(
    aDeskDispute({
      status: 'held_in_escrow',
      disputeReason: null,
      needsCheck: true,
      escalatedAt: '2026-11-16T10:00:00.000Z',
      fraudSignals: [
        {
          id: 'issfr_1',
          kind: 'fraud_warning',
          reason: 'made_with_stolen_card',
          openedAt: '2026-11-16T10:00:00.000Z',
          closedAt: null,
          dismissedAt: null,
        },
      ],
    }),
    answer(dismissFraudSignals, { ok: true }),
  )
  const shown = await card()
  expect(shown).toHaveTextContent('The card’s bank warns of fraud: made with stolen card.')
  expect(shown).toHaveTextContent('In escrow for more than 80 days')
  await press('Review')
  await userEvent.click(await screen.findByRole('tab', { name: 'Resolution' }))
  expect(screen.getByText(/there is nothing to rule on/)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await press('Let it continue')
  server.add(answer(listDisputes, []))
  await press('Let It Continue')
  expect(await screen.findByText('Payment Continues')).toBeVisible()
  expect(await screen.findByText('No disputes have been submitted yet.')).toBeVisible()
})

test.each([
  ['2026-11-16T09:59:59.000Z', null, ''],
  ['2026-11-16T23:00:00.000Z', 0, 'in less than a day'],
  ['2026-11-17T11:00:00.000Z', 1, 'in one day'],
  ['2026-11-30T11:00:00.000Z', 14, 'in 14 days'],
])('a deadline at %s is %s days away', (deadline, days, words) => {
  expect(daysUntil(deadline, new Date('2026-11-16T10:00:00.000Z'))).toBe(days)
  if (days !== null) expect(describeDays(days)).toBe(words)
})
