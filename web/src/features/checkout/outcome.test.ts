import { expect, test } from 'vitest'
import { toOutcome } from './outcome.ts'

const intent = (status: string) => ({ id: 'pi_1', status })

test('a charged or processing intent counts as paid', () => {
  expect(toOutcome({ paymentIntent: intent('succeeded') })).toEqual({ state: 'paid', intentId: 'pi_1' })
  expect(toOutcome({ paymentIntent: intent('processing') })).toEqual({ state: 'paid', intentId: 'pi_1' })
})

test('an error about an intent that was paid elsewhere counts as paid', () => {
  const error = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }
  expect(toOutcome({ error: { ...error, payment_intent: intent('succeeded') } })).toEqual({
    state: 'paid',
    intentId: 'pi_1',
  })
  expect(toOutcome({ error: { ...error, payment_intent: intent('canceled') } })).toEqual({
    state: 'unexpected',
  })
})

test('a required authentication redirects to the bank', () => {
  const next_action = { redirect_to_url: { url: 'https://bank.example/' } }
  expect(toOutcome({ paymentIntent: { ...intent('requires_action'), next_action } })).toEqual({
    state: 'redirect',
    url: 'https://bank.example/',
  })
})

test('another step that the buyer has days for is a payment that waits', () => {
  expect(toOutcome({ paymentIntent: intent('requires_action') })).toEqual({
    state: 'waiting',
    intentId: 'pi_1',
  })
})

test('a decline belongs to no field, other card errors belong to their field', () => {
  const refusal = (change: object) => toOutcome({ error: { type: 'card_error', message: 'No.', ...change } })
  expect(refusal({ code: 'card_declined' })).toEqual({
    state: 'refused',
    message: 'No.',
    field: undefined,
  })
  expect(refusal({ code: 'incorrect_number' })).toMatchObject({ field: 'number' })
  expect(refusal({ param: 'payment_method_data[card][number]' })).toMatchObject({ field: 'number' })
  expect(refusal({ code: 'expired_card' })).toMatchObject({ field: 'expiry' })
  expect(refusal({ param: 'payment_method_data[card][exp_year]' })).toMatchObject({ field: 'expiry' })
  expect(refusal({ code: 'incorrect_cvc', param: 'cvc' })).toMatchObject({ field: 'cvc' })
})

test('an error that is not about the card is unexpected', () => {
  expect(toOutcome({ error: { type: 'api_error', message: 'A stack trace.' } })).toEqual({
    state: 'unexpected',
  })
  expect(toOutcome({})).toEqual({ state: 'unexpected' })
})

test('a failed authentication is reported as a declined card', () => {
  const last_payment_error = { type: 'card_error', message: 'Not authenticated.' }
  expect(toOutcome({ paymentIntent: { ...intent('requires_payment_method'), last_payment_error } })).toEqual({
    state: 'refused',
    message: 'Not authenticated.',
    field: undefined,
  })
})
