// @module-tag proof

import { expect, test } from 'vitest'
import { createPaidIntent, getError, openWorld } from '../testing/world.ts'

test('a suspicious card gets an early fraud warning, which a refund resolves', async () => {
  const { stripe, webhook } = await openWorld()
  const { charge, intent } = await createPaidIntent(stripe, 5_000, 'pm_card_createIssuerFraudRecord')
  const { data } = await stripe.radar.earlyFraudWarnings.list({ payment_intent: intent.id })
  expect(data).toMatchObject([{ actionable: true, charge, payment_intent: intent.id }])
  const id = String(data[0]?.id)
  await webhook.until(() => webhook.types().includes('radar.early_fraud_warning.created'))
  expect((await stripe.charges.retrieve(charge)).disputed).toBe(false)
  await stripe.refunds.create({ charge })
  expect((await stripe.radar.earlyFraudWarnings.retrieve(id)).actionable).toBe(false)
  await webhook.until(() => webhook.types().includes('radar.early_fraud_warning.updated'))
})

test('a charge with elevated risk is reviewed until it is approved, refunded or disputed', async () => {
  const { stripe, webhook } = await openWorld()
  const pay = () => createPaidIntent(stripe, 5_000, 'pm_card_riskLevelElevated')
  const { charge, intent } = await pay()
  const [review] = (await stripe.reviews.list()).data
  expect(review).toMatchObject({ charge, payment_intent: intent.id, open: true, opened_reason: 'rule' })
  const id = String(review?.id)
  expect(await stripe.charges.retrieve(charge)).toMatchObject({
    review: id,
    outcome: { risk_level: 'elevated', type: 'manual_review' },
  })
  await webhook.until(() => webhook.types().includes('review.opened'))
  expect(await stripe.reviews.approve(id)).toMatchObject({ open: false, closed_reason: 'approved' })
  expect((await getError(stripe.reviews.approve(id))).statusCode).toBe(400)
  await webhook.until(() => webhook.types().includes('review.closed'))

  const other = await pay()
  await stripe.refunds.create({ charge: other.charge })
  const { review: refunded } = await stripe.charges.retrieve(other.charge)
  expect(await stripe.reviews.retrieve(String(refunded))).toMatchObject({ closed_reason: 'refunded' })
  expect((await stripe.reviews.list()).data).toEqual([])
})
