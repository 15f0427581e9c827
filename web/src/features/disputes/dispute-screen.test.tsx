import { appealRuling } from '@sought/contract/casework'
import {
  type Appeal,
  acceptSettlement,
  answerDispute,
  getDispute,
  proposeSettlement,
  uploadEvidence,
  withdrawDispute,
} from '@sought/contract/disputes'
import { getPayment, listPayments, refundBuyer } from '@sought/contract/payments'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { enterText } from '../../testing/enter-text.ts'
import { type Answer, answer, refuse } from '../../testing/fake-server.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { aDispute, anEvidenceFile, aPayment, aSeller, aUser } from '../../testing/samples.ts'

const noAppeals = { appealUntil: null, appeals: [] }

test('withdrawing leads to the payments, even if a live update removes the dispute first', async () => {
  const opened = openScreen('/dispute/1', {
    user: aUser(),
    answers: [
      answer(getDispute, { dispute: aDispute(), evidence: [], timeline: [], ...noAppeals }),
      answer(listPayments, []),
      {
        call: withdrawDispute,
        respond: async () => {
          opened.add(refuse(getDispute, 'dispute_not_found'))
          await opened.cache.invalidateQueries()
          await screen.findByRole('heading', { name: 'Dispute not found', hidden: true })
          return Response.json({ ok: true })
        },
      },
    ],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Dispute' }))
  const dialog = await screen.findByRole('alertdialog')
  await userEvent.click(screen.getAllByRole('button', { name: 'Withdraw Dispute' }).at(-1) ?? dialog)
  await waitFor(() => expect(window.location.pathname).toBe('/payments'))
  expect(opened.requestsTo(withdrawDispute)).toHaveLength(1)
})

const open = (changes: Parameters<typeof aDispute>[0], user = aUser(), ...answers: Answer[]) =>
  openScreen('/dispute/1', {
    user,
    answers: [
      answer(getDispute, { dispute: aDispute(changes), evidence: [], timeline: [], ...noAppeals }),
      answer(getPayment, aPayment()),
      ...answers,
    ],
  })

const seller = aUser({ id: aSeller.id })

const proposal = (refundAmount: number) => ({
  refundAmount,
  proposedBy: 'seller' as const,
  proposedAt: '2026-11-16T10:00:00.000Z',
})

test('the buyer can keep the dispute instead of withdrawing it; the seller cannot withdraw it', async () => {
  const server = open({})
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw Dispute' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Keep Dispute' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  expect(server.requestsTo(withdrawDispute)).toEqual([])
  cleanup()
  open({}, seller)
  expect(await screen.findByRole('heading', { name: 'Dispute #1' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Withdraw Dispute' })).not.toBeInTheDocument()
})

test('while the bank decides, the parties can add evidence, but neither settle nor withdraw', async () => {
  open({ bankDecides: true })
  expect(await screen.findByText('The bank is reviewing this payment')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Withdraw Dispute' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Propose a Settlement' })).not.toBeInTheDocument()
  expect(screen.getByRole('region', { name: 'Add to the dispute' })).toBeVisible()
})

test('a proposal must be less than the payment, and shows how it divides the money', async () => {
  const server = open({ amount: 10_001 }, seller, answer(proposeSettlement, { ok: true }))
  await userEvent.click(await screen.findByRole('button', { name: 'Propose a Settlement' }))
  const amount = await screen.findByLabelText('Or type an amount')
  const propose = async (text: string) => {
    await userEvent.clear(amount)
    await userEvent.type(amount, text)
  }
  await propose('100.01')
  expect(screen.getByText('Enter an amount from $0.01 to $100.00')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Send Proposal' })).toBeDisabled()
  await propose('33.33')
  // 66.68 are left: 3 % are 2.00, 2.9 % and 0.30 are 2.23.
  const dialog = screen.getByRole('dialog')
  for (const text of ['Platform fee$2.00', 'Card processing$2.23', '$62.45']) {
    expect(dialog).toHaveTextContent(text)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Send Proposal' }))
  await waitFor(() => expect(server.requestsTo(proposeSettlement)).toHaveLength(1))
  expect(server.requestsTo(proposeSettlement)).toMatchObject([{ body: { refundAmount: 3_333 } }])
})

test('after the release, the seller can refund the buyer, and nobody else is offered it', async () => {
  const ruled = { status: 'resolved_partial', disputeReason: 'Broken' } as const
  const refundable = {
    maxCents: 9_000,
    sellerCents: 8_439,
    platformCents: 270,
    processingCents: 291,
    refundedCents: 0,
  }
  const server = open(ruled, seller, answer(getPayment, aPayment({ status: 'resolved_partial', refundable })))
  await userEvent.click(await screen.findByRole('button', { name: 'Refund the Buyer' }))
  server.add(answer(refundBuyer, aPayment()))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.type(dialog.getByLabelText('Amount'), '20')
  await userEvent.type(dialog.getByLabelText('Reason'), 'A part is missing')
  await userEvent.click(screen.getByRole('button', { name: 'Refund $20.00' }))
  await waitFor(() =>
    expect(server.requestsTo(refundBuyer)).toMatchObject([
      { params: { id: '1' }, body: { amount: 2_000, reason: 'A part is missing' } },
    ]),
  )
  cleanup()
  open(ruled, seller)
  expect(await screen.findByRole('heading', { name: 'Dispute #1' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Refund the Buyer' })).not.toBeInTheDocument()
  cleanup()
  const asBuyer = open(ruled)
  expect(await screen.findByRole('heading', { name: 'Dispute #1' })).toBeVisible()
  expect(asBuyer.requestsTo(getPayment)).toEqual([])
})

test('the proposer waits for the other party', async () => {
  open({ settlement: proposal(5_000) }, seller)
  expect(await screen.findByText('Waiting for Ada Buyer to reply.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Accept/ })).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Propose Another Amount' })).toBeVisible()
})

test('the confirmation keeps the old proposal when a new one arrives', async () => {
  const server = open(
    { settlement: proposal(5_000) },
    aUser(),
    refuse(acceptSettlement, 'settlement_changed'),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Accept $50.00' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  server.add(
    answer(getDispute, {
      dispute: aDispute({ settlement: proposal(3_333) }),
      evidence: [],
      timeline: [],
      ...noAppeals,
    }),
  )
  await server.cache.invalidateQueries()
  expect(await screen.findByText('Bob Tester proposes to refund $33.33 to you')).toBeInTheDocument()
  await userEvent.click(dialog.getByRole('button', { name: 'Accept $50.00' }))
  expect(
    await screen.findByText('This proposal has changed or was withdrawn. Please reload the page.'),
  ).toBeVisible()
  expect(server.requestsTo(acceptSettlement)).toMatchObject([{ body: { refundAmount: 5_000 } }])
})

test('a dispute of other people is not found', async () => {
  openScreen('/dispute/1', { user: aUser(), answers: [refuse(getDispute, 'dispute_not_found')] })
  expect(await screen.findByRole('heading', { name: 'Dispute not found' })).toBeVisible()
})

test('a party adds a statement, and files with a description', async () => {
  const server = open(
    {},
    seller,
    answer(answerDispute, anEvidenceFile()),
    answer(uploadEvidence, anEvidenceFile()),
  )
  await enterText(await screen.findByLabelText('Your statement'), 'Whole when sent')
  await userEvent.click(screen.getByRole('button', { name: 'Add Statement' }))
  expect(await screen.findByText('Statement Added')).toBeVisible()
  await userEvent.upload(screen.getByLabelText('Evidence files'), [
    new File(['x'], 'packed.png', { type: 'image/png' }),
    new File(['x'], 'carrier.txt', { type: 'text/plain' }),
  ])
  await enterText(screen.getByLabelText('Description of packed.png'), 'In paper')
  await userEvent.click(screen.getByRole('button', { name: 'Send 2 Files' }))
  expect(await screen.findByRole('button', { name: 'Done' })).toBeVisible()
  expect(server.requestsTo(answerDispute)).toMatchObject([{ body: { content: 'Whole when sent' } }])
  expect(
    server.requestsTo(uploadEvidence).map(({ file, fields }) => [file.name, fields.description]),
  ).toEqual([
    ['packed.png', 'In paper'],
    ['carrier.txt', ''],
  ])
})

test('after five files, no more can be added', async () => {
  const withFiles = (count: number) =>
    answer(getDispute, {
      dispute: aDispute(),
      evidence: Array.from({ length: count }, (_, index) => anEvidenceFile({ id: index + 1 })),
      timeline: [],
      ...noAppeals,
    })
  const server = openScreen('/dispute/1', { user: aUser(), answers: [withFiles(2)] })
  expect(await screen.findByText(/Up to 3 files of 10MB each\./)).toBeVisible()
  server.add(withFiles(5))
  await server.cache.invalidateQueries()
  expect(await screen.findByText('You have uploaded the maximum of 5 files.')).toBeVisible()
})

test.each([
  ['resolved_buyer', 'Decided for the buyer'],
  ['resolved_seller', 'Decided for the seller'],
  ['resolved_partial', 'Split between you'],
] as const)('a dispute that is %s shows its outcome and can no longer be changed', async (status, text) => {
  open({ status, refundCents: 6_000 })
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryByLabelText('Your statement')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /Withdraw|Propose|Accept/ })).not.toBeInTheDocument()
})

test('a dispute whose refund failed shows this to the buyer', async () => {
  open({ status: 'resolved_buyer', refundCents: 12_000, refundFailedAt: '2026-11-16T09:00:00.000Z' })
  expect(
    await screen.findByText('$120.00 did not reach your card. Our team will contact you or try again.'),
  ).toBeVisible()
})

test('both parties see the tracking and the proof of delivery', async () => {
  const parcel = {
    shippedAt: '2026-11-15T13:00:00.000Z',
    deliveredAt: '2026-11-16T08:00:00.000Z',
    carrier: 'ups' as const,
    trackingNumber: '1Z999AA10123456784',
    trackingUrl: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
    deliveryProof: '/api/payments/1/files/delivery-proof',
  }
  for (const user of [aUser(), seller]) {
    open(parcel, user)
    const section = within(await screen.findByRole('region', { name: 'Parcel' }))
    expect(section.getByRole('link', { name: /^1Z999AA10123456784/ })).toHaveAttribute(
      'href',
      parcel.trackingUrl,
    )
    expect(section.getByRole('link', { name: 'View file' })).toHaveAttribute('href', parcel.deliveryProof)
    cleanup()
  }
})

const inHours = (count: number) => new Date(Date.now() + count * 3_600_000 + 60_000).toISOString()

test('both parties see when our answer is due, and that we are late once it is overdue', async () => {
  open({ dueAt: inHours(5) }, seller)
  expect(await screen.findByText(/We will answer by .* \(in 5 hours\)\./)).toBeVisible()
  cleanup()
  open({ dueAt: inHours(-5), status: 'under_review' })
  expect(await screen.findByText(/We promised to decide by .*\. We are late/)).toBeVisible()
})

describe('appeals', () => {
  const ruled = { status: 'resolved_seller', refundCents: 0 } as const
  const openRuled = (
    { appealUntil, appeals = [] }: { appealUntil: string | null; appeals?: Appeal[] },
    user = aUser(),
  ) =>
    openScreen('/dispute/1', {
      user,
      answers: [
        answer(getPayment, aPayment()),
        answer(getDispute, { dispute: aDispute(ruled), evidence: [], timeline: [], appealUntil, appeals }),
        answer(appealRuling, anAppeal),
      ],
    })
  const anAppeal: Appeal = {
    id: 1,
    by: 'buyer',
    reason: 'It never arrived',
    createdAt: '2026-11-16T10:00:00.000Z' as Appeal['createdAt'],
    decision: null,
    note: null,
    decidedAt: null,
  }

  test('a party who lost appeals with a reason', async () => {
    const server = openRuled({ appealUntil: inHours(72) })
    expect(await screen.findByText(/you can appeal until .* \(in 3 days\)/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Appeal' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Send Appeal' }))
    expect(dialog.getByText('Please say why')).toBeVisible()
    await enterText(dialog.getByLabelText('Why is the ruling wrong?'), 'It never arrived')
    await userEvent.click(dialog.getByRole('button', { name: 'Send Appeal' }))
    await waitFor(() =>
      expect(server.requestsTo(appealRuling)).toMatchObject([{ body: { reason: 'It never arrived' } }]),
    )
  })

  test('appeals are hidden without a ruling, after seven days, or if nothing can be gained', async () => {
    for (const [appealUntil, user] of [
      [null, aUser()],
      [inHours(-1), aUser()],
      [inHours(72), seller],
    ] as const) {
      openRuled({ appealUntil }, user)
      await screen.findByRole('heading', { name: 'Dispute #1' })
      expect(screen.queryByRole('button', { name: 'Appeal' })).not.toBeInTheDocument()
      cleanup()
    }
  })

  test('the outcome of an appeal is shown to both parties', async () => {
    const decided = {
      ...anAppeal,
      decision: 'overturn',
      note: 'We were wrong',
      decidedAt: anAppeal.createdAt,
    } as const
    openRuled({ appealUntil: inHours(72), appeals: [decided] }, seller)
    expect(await screen.findByText('We were wrong')).toBeVisible()
    expect(screen.getByText('Granted')).toBeVisible()
    expect(screen.getByText('We pay from our own money. You keep what the ruling gave you.')).toBeVisible()
  })
})
