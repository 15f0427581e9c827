// @module-tag proof

import { expect, test } from 'vitest'
import { createPaidIntent, getError, openWorld, type World } from '../testing/world.ts'

const DAY_MS = 86_400_000

/** Pays with a test card and returns the disputes that it causes. */
async function payDisputed({ stripe }: World, card: string, amount = 5_000) {
  const { intent, charge } = await createPaidIntent(stripe, amount, card)
  const { data } = await stripe.disputes.list({ payment_intent: intent.id })
  return { intent, charge, disputes: data, dispute: String(data[0]?.id) }
}

const press = ({ sandbox }: World, path: string, form = {}) =>
  fetch(sandbox.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })

const text = (uncategorized_text: string) => ({ evidence: { uncategorized_text } })

const pendingCents = async ({ stripe }: World) => (await stripe.balance.retrieve()).pending[0]?.amount

test('a chargeback withdraws the amount and a fee', async () => {
  const world = await openWorld()
  const { charge, disputes } = await payDisputed(world, 'pm_card_createDispute')
  expect(disputes).toMatchObject([
    {
      amount: 5_000,
      charge,
      is_charge_refundable: false,
      reason: 'fraudulent',
      status: 'needs_response',
      payment_method_details: { card: { case_type: 'chargeback' } },
      balance_transactions: [
        {
          type: 'adjustment',
          reporting_category: 'dispute',
          amount: -5_000,
          fee: 1_500,
          net: -6_500,
          fee_details: [{ amount: 1_500, description: 'Dispute fee', type: 'stripe_fee' }],
        },
      ],
    },
  ])
  // The charge of 5,000 minus its fee of 175, and the withdrawal.
  expect(await pendingCents(world)).toBe(-1_675)
  expect(await getError(world.stripe.refunds.create({ charge }))).toMatchObject({
    code: 'charge_disputed',
    message: `Charge ${charge} has been charged back; cannot issue a refund.`,
  })
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.funds_withdrawn'))
  expect(world.webhook.types()).toContain('charge.dispute.created')
})

test('winning evidence returns the amount without the fee, and the charge can be refunded again', async () => {
  const world = await openWorld()
  const { charge, dispute } = await payDisputed(world, 'pm_card_createDispute')
  const won = await world.stripe.disputes.update(dispute, text('winning_evidence'))
  expect(won).toMatchObject({
    status: 'won',
    is_charge_refundable: true,
    evidence_details: { has_evidence: true, submission_count: 1 },
    balance_transactions: [
      { net: -6_500 },
      { amount: 5_000, fee: 0, reporting_category: 'dispute_reversal' },
    ],
  })
  expect(await pendingCents(world)).toBe(3_325)
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.closed'))
  expect(world.webhook.types()).toEqual(
    expect.arrayContaining(['charge.dispute.updated', 'charge.dispute.funds_reinstated']),
  )
  expect(await getError(world.stripe.disputes.close(dispute))).toMatchObject({
    message: 'This dispute is already closed',
  })
  expect((await world.stripe.refunds.create({ charge })).status).toBe('succeeded')
})

test('a dispute is lost by losing evidence or by closing it', async () => {
  const world = await openWorld()
  const first = await payDisputed(world, 'pm_card_createDisputeProductNotReceived')
  expect(first.disputes).toMatchObject([{ reason: 'product_not_received' }])
  expect(await world.stripe.disputes.update(first.dispute, text('losing_evidence'))).toMatchObject({
    status: 'lost',
    is_charge_refundable: false,
  })
  const second = await payDisputed(world, 'pm_card_createDispute')
  expect((await world.stripe.disputes.close(second.dispute)).status).toBe('lost')
  expect((await world.stripe.disputes.retrieve(second.dispute)).balance_transactions).toHaveLength(1)
  expect((await getError(world.stripe.refunds.create({ charge: second.charge }))).code).toBe(
    'charge_disputed',
  )
})

test('evidence can be staged and is submitted once; without a test text, the dispute stays under review', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { dispute } = await payDisputed(world, 'pm_card_createDispute')
  const staged = await stripe.disputes.update(dispute, {
    evidence: { customer_name: 'Ada', shipping_tracking_number: 'RR1' },
    submit: false,
  })
  expect(staged).toMatchObject({
    status: 'needs_response',
    evidence: { customer_name: 'Ada', shipping_tracking_number: 'RR1' },
    evidence_details: { has_evidence: true, submission_count: 0, submission_method: 'not_submitted' },
  })
  expect(await stripe.disputes.update(dispute, { submit: true })).toMatchObject({
    status: 'under_review',
    evidence_details: { submission_count: 1, submission_method: 'manual' },
  })
  expect((await getError(stripe.disputes.update(dispute, text('winning_evidence')))).statusCode).toBe(400)
  expect(
    await getError(stripe.disputes.update(dispute, { evidence: { receipt: 'file_nothing' } })),
  ).toMatchObject({ statusCode: 400 })
  world.advanceClock(60 * DAY_MS)
  expect((await stripe.disputes.retrieve(dispute)).status).toBe('under_review')
})

test('invalid evidence is refused', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { dispute } = await payDisputed(world, 'pm_card_createDispute')
  expect(
    await getError(stripe.disputes.update(dispute, { evidence: { receipt: 'file_nothing' } })),
  ).toMatchObject({ code: 'resource_missing', param: 'evidence[receipt]' })
  expect((await getError(stripe.disputes.update(dispute, text('x'.repeat(20_001))))).param).toBe(
    'evidence[uncategorized_text]',
  )
  const nonsense = { evidence: { nonsense: 'x' } } as object
  expect((await getError(stripe.disputes.update(dispute, nonsense))).code).toBe('parameter_unknown')
})

test('a chargeback without evidence is lost at its deadline', async () => {
  const world = await openWorld()
  const { dispute, disputes } = await payDisputed(world, 'pm_card_createDispute')
  const due = Number(disputes[0]?.evidence_details.due_by)
  expect(due % 86_400).toBe(86_399)
  world.advanceClock(15 * DAY_MS)
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.closed'))
  expect((await world.stripe.disputes.retrieve(dispute)).status).toBe('lost')
})

test('an inquiry moves no money and closes without a decision', async () => {
  const world = await openWorld()
  const { charge, dispute, disputes } = await payDisputed(world, 'pm_card_createDisputeInquiry')
  expect(disputes).toMatchObject([
    { status: 'warning_needs_response', balance_transactions: [], is_charge_refundable: true },
  ])
  expect(await pendingCents(world)).toBe(4_825)
  const answered = await world.stripe.disputes.update(dispute, text('It was delivered.'))
  expect(answered.status).toBe('warning_under_review')
  expect((await world.stripe.refunds.create({ charge, amount: 500 })).status).toBe('succeeded')
  expect((await press(world, `/disputes/${dispute}/won`)).status).toBe(400)
  expect((await press(world, `/disputes/${dispute}/close`)).status).toBe(303)
  expect((await world.stripe.disputes.retrieve(dispute)).status).toBe('warning_closed')
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.closed'))
  expect(world.webhook.types()).not.toContain('charge.dispute.funds_withdrawn')

  const other = await payDisputed(world, 'pm_card_createDisputeInquiry')
  expect((await world.stripe.disputes.update(other.dispute, text('losing_evidence'))).status).toBe(
    'warning_closed',
  )
})

test('a full refund closes an inquiry', async () => {
  const world = await openWorld()
  const { charge, dispute } = await payDisputed(world, 'pm_card_createDisputeInquiry')
  await world.stripe.refunds.create({ charge, amount: 1_000 })
  expect((await world.stripe.disputes.retrieve(dispute)).status).toBe('warning_needs_response')
  await world.stripe.refunds.create({ charge })
  expect((await world.stripe.disputes.retrieve(dispute)).status).toBe('warning_closed')
  expect((await world.stripe.balance.retrieve()).pending).toMatchObject([{ amount: -175 }])
})

test('an inquiry can become a chargeback for the part that was not refunded', async () => {
  const world = await openWorld()
  const { charge, dispute } = await payDisputed(world, 'pm_card_createDisputeInquiry')
  await world.stripe.refunds.create({ charge, amount: 2_000 })
  expect(await world.stripe.disputes.update(dispute, text('escalate_inquiry_evidence'))).toMatchObject({
    amount: 3_000,
    status: 'needs_response',
    is_charge_refundable: false,
    evidence_details: { submission_count: 0 },
    balance_transactions: [{ amount: -3_000, fee: 1_500 }],
  })
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.funds_withdrawn'))
  expect((await world.stripe.disputes.update(dispute, text('winning_evidence'))).status).toBe('won')
})

test('a charge can be disputed in parts, and the rest can be refunded', async () => {
  const world = await openWorld()
  const { stripe } = world
  const { intent, charge } = await createPaidIntent(stripe, 10_000)
  const claim = (form: object) => press(world, `/payments/${intent.id}/dispute`, form)
  expect((await claim({ amount: '4000', reason: 'product_unacceptable' })).status).toBe(303)
  const [part] = (await stripe.disputes.list({ charge })).data
  expect(part).toMatchObject({ amount: 4_000, reason: 'product_unacceptable', status: 'needs_response' })
  expect((await getError(stripe.refunds.create({ charge, amount: 1_000 }))).code).toBe('charge_disputed')
  expect((await claim({ amount: '6001' })).status).toBe(400)
  expect((await claim({ amount: '0' })).status).toBe(400)
  expect((await claim({ reason: 'boredom' })).status).toBe(400)
  await stripe.disputes.close(String(part?.id))
  expect((await getError(stripe.refunds.create({ charge, amount: 6_001 }))).param).toBe('amount')
  expect((await stripe.refunds.create({ charge, amount: 6_000 })).status).toBe('succeeded')
  expect((await claim({})).status).toBe(400)
})

test('a charge with the test card for several disputes is disputed twice', async () => {
  const world = await openWorld()
  const { disputes } = await payDisputed(world, 'pm_card_createMultipleDisputes', 5_001)
  expect(disputes.map(({ amount }) => amount)).toEqual([2_500, 2_501])
})

test('a prevented dispute costs no fee', async () => {
  const world = await openWorld()
  const blocked = await payDisputed(world, 'pm_card_createDispute')
  expect((await press(world, `/disputes/${blocked.dispute}/prevented`)).status).toBe(303)
  expect(await world.stripe.disputes.retrieve(blocked.dispute)).toMatchObject({
    status: 'prevented',
    is_charge_refundable: true,
    payment_method_details: { card: { case_type: 'block' } },
    balance_transactions: [{ net: -6_500 }, { amount: 5_000, fee: -1_500, net: 6_500 }],
  })
  expect(await pendingCents(world)).toBe(4_825)
  await world.webhook.until(() => world.webhook.types().includes('charge.dispute.closed'))

  const resolved = await payDisputed(world, 'pm_card_createDispute')
  await press(world, `/disputes/${resolved.dispute}/prevented`, { case_type: 'resolution' })
  expect(await world.stripe.disputes.retrieve(resolved.dispute)).toMatchObject({
    status: 'prevented',
    is_charge_refundable: false,
    balance_transactions: [{ net: -6_500 }, { amount: 0, fee: -1_500, net: 1_500 }],
  })
  expect((await press(world, `/disputes/${resolved.dispute}/prevented`)).status).toBe(400)
})

test('concurrent refunds and disputes never take more than the charge', async () => {
  const world = await openWorld()
  const { stripe } = world
  for (let round = 0; round < 4; round++) {
    const { intent, charge } = await createPaidIntent(stripe, 10_000)
    await Promise.allSettled([
      ...Array.from({ length: 4 }, () => stripe.refunds.create({ charge, amount: 3_000 })),
      ...Array.from({ length: 4 }, () => press(world, `/payments/${intent.id}/dispute`, { amount: '4000' })),
    ])
    const { amount_refunded } = await stripe.charges.retrieve(charge)
    const { data } = await stripe.disputes.list({ charge })
    const taken = data.reduce((sum, { amount }) => sum + amount, amount_refunded)
    expect(taken).toBeGreaterThan(0)
    expect(taken).toBeLessThanOrEqual(10_000)
  }
})
