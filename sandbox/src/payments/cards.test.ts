// @module-tag proof

import { expect, test } from 'vitest'
import { type CardForm, confirmInBrowser, createPaidIntent, getError, openWorld } from '../testing/world.ts'

const succeeding = {
  visa: '4242424242424242',
  'visa, in groups': '4242 4242 4242 4242',
  'visa debit': '4000056655665556',
  mastercard: '5555555555554444',
  discover: '6011111111111117',
  diners: '3056930009020004',
  jcb: '3566002020360505',
  unionpay: '6200000000000005',
  'straight to the balance': '4000000000000077',
}

test('ordinary test cards succeed', async () => {
  const world = await openWorld()
  for (const number of Object.values(succeeding)) {
    const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
    const { status, body } = await confirmInBrowser(world, intent, number)
    expect({ number, status, payment: body.status }).toEqual({ number, status: 200, payment: 'succeeded' })
  }
  const amex = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const { body } = await confirmInBrowser(world, amex, { number: '378282246310005', cvc: '1234' })
  expect(body.status).toBe('succeeded')
})

const declining: [number: string, code: string, declineCode: string | undefined, message: string][] = [
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000009987', 'card_declined', 'lost_card', 'Your card was declined.'],
  ['4000000000009979', 'card_declined', 'stolen_card', 'Your card was declined.'],
  ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
  [
    '4000000000000119',
    'processing_error',
    undefined,
    'An error occurred while processing your card. Try again in a little bit.',
  ],
]

test('a declined card returns its reason, and another card can be tried', async () => {
  const world = await openWorld()
  for (const [number, code, declineCode, message] of declining) {
    const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
    const { status, body } = await confirmInBrowser(world, intent, number)
    expect(status).toBe(402)
    expect(body.error).toMatchObject({ type: 'card_error', code, message })
    expect(body.error?.decline_code).toBe(declineCode)
    expect(body.error?.payment_intent).toMatchObject({
      id: intent.id,
      status: 'requires_payment_method',
      last_payment_error: { code, message },
    })

    const kept = await world.stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
    expect(kept.latest_charge).toMatchObject({ status: 'failed', paid: false, failure_code: code })
    const again = await confirmInBrowser(world, intent, '4242424242424242')
    expect(again.body.status).toBe('succeeded')
    expect(
      (await world.stripe.charges.list({ payment_intent: intent.id })).data.map((it) => it.status),
    ).toEqual(['succeeded', 'failed'])
  }
})

const wrong: [card: CardForm, code: string, param: string][] = [
  [{ number: '4242424242424241' }, 'incorrect_number', 'number'],
  [{ number: '42' }, 'invalid_number', 'number'],
  [{ number: 'four' }, 'invalid_number', 'number'],
  [{ exp_month: '13' }, 'invalid_expiry_month', 'exp_month'],
  [{ exp_month: '0' }, 'invalid_expiry_month', 'exp_month'],
  [{ exp_year: '2020' }, 'invalid_expiry_year', 'exp_year'],
  [{ exp_year: '20' }, 'invalid_expiry_year', 'exp_year'],
  [{ exp_year: '2934' }, 'invalid_expiry_year', 'exp_year'],
  [{ cvc: '12' }, 'invalid_cvc', 'cvc'],
  [{ cvc: '1234' }, 'invalid_cvc', 'cvc'],
  [{ number: '378282246310005', cvc: '123' }, 'invalid_cvc', 'cvc'],
]

test('invalid card details are refused with their field, and the payment does not change', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  for (const [card, code, param] of wrong) {
    const { status, body } = await confirmInBrowser(world, intent, card)
    expect({ card, status, ...body.error }).toMatchObject({
      card,
      status: 402,
      type: 'card_error',
      code,
      param,
    })
  }
  const now = await world.stripe.paymentIntents.retrieve(intent.id)
  expect(now).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: null,
    latest_charge: null,
  })
})

test('an expiry in a past month is refused, one in the current month accepted', async () => {
  const world = await openWorld({ clock: () => new Date('2030-06-15T12:00:00Z') })
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const past = await confirmInBrowser(world, intent, { exp_month: '5', exp_year: '2030' })
  expect(past.body.error).toMatchObject({ code: 'invalid_expiry_month', param: 'exp_month' })
  const now = await confirmInBrowser(world, intent, { exp_month: '6', exp_year: '30' })
  expect(now.body.status).toBe('succeeded')
})

test('a real card number is declined and never stored', async () => {
  const world = await openWorld()
  const intent = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  const { body } = await confirmInBrowser(world, intent, '4111111111111111')
  expect(body.error).toMatchObject({ code: 'card_declined', decline_code: 'test_mode_live_card' })
  const other = await world.stripe.paymentIntents.create({ amount: 12_000, currency: 'usd' })
  await confirmInBrowser(world, other, '4242424242424242')
  const kept = await world.query(
    `select id from sandbox.objects where body::text ~ '(4111111111111111|4242424242424242)'
       or hidden::text ~ '(4111111111111111|4242424242424242)'
     union all
     select key from sandbox.idempotency_keys where body ~ '(4111111111111111|4242424242424242)'`,
  )
  expect(kept).toEqual([])
})

test('tokens refer to the same cards as their numbers', async () => {
  const { stripe } = await openWorld()
  expect((await createPaidIntent(stripe, 5_000, 'pm_card_mastercard')).intent.status).toBe('succeeded')
  const funds = await getError(
    createPaidIntent(stripe, 5_000, 'pm_card_visa_chargeDeclinedInsufficientFunds'),
  )
  expect(funds).toMatchObject({ code: 'card_declined', decline_code: 'insufficient_funds', statusCode: 402 })
  const same = await getError(createPaidIntent(stripe, 5_000, 'pm_card_chargeDeclinedInsufficientFunds'))
  expect(same.decline_code).toBe('insufficient_funds')
  expect(await getError(createPaidIntent(stripe, 5_000, 'pm_card_nonsense'))).toMatchObject({
    code: 'resource_missing',
  })
})

test('a slow card is processing first, then succeeded', async () => {
  const world = await openWorld()
  const { intent } = await createPaidIntent(world.stripe, 5_000, 'pm_card_slow')
  expect(intent.status).toBe('processing')
  const early = await getError(world.stripe.paymentIntents.cancel(intent.id))
  expect(early.code).toBe('payment_intent_unexpected_state')
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.processing'))
  world.advanceClock(6_000)
  await world.webhook.until(() => world.webhook.types().includes('payment_intent.succeeded'))
  const done = await world.stripe.paymentIntents.retrieve(intent.id)
  expect(done).toMatchObject({ status: 'succeeded', amount_received: 5_000, processing: null })
})
