import { expect, test } from 'vitest'
import { outcomeOf } from './outcome.ts'

const intent = (status: string) => ({ id: 'pi_1', status })

test('charged, or about to be', () => {
  expect(outcomeOf({ paymentIntent: intent('succeeded') })).toEqual({ state: 'paid', intentId: 'pi_1' })
  expect(outcomeOf({ paymentIntent: intent('processing') })).toEqual({ state: 'paid', intentId: 'pi_1' })
})

test('an intent that was paid elsewhere meanwhile leads on, though the answer is an error', () => {
  const error = { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' }
  expect(outcomeOf({ error: { ...error, payment_intent: intent('succeeded') } })).toEqual({
    state: 'paid',
    intentId: 'pi_1',
  })
  expect(outcomeOf({ error: { ...error, payment_intent: intent('canceled') } })).toEqual({
    state: 'unexpected',
  })
})

test('the bank wants to see its customer', () => {
  const next_action = { redirect_to_url: { url: 'https://bank.example/' } }
  expect(outcomeOf({ paymentIntent: { ...intent('requires_action'), next_action } })).toEqual({
    state: 'elsewhere',
    url: 'https://bank.example/',
  })
  expect(outcomeOf({ paymentIntent: intent('requires_action') })).toEqual({ state: 'unexpected' })
})

test('a decline is about the card as a whole, other complaints about one field', () => {
  const complaint = (change: object) =>
    outcomeOf({ error: { type: 'card_error', message: 'No.', ...change } })
  expect(complaint({ code: 'card_declined' })).toEqual({
    state: 'refused',
    message: 'No.',
    field: undefined,
  })
  expect(complaint({ code: 'incorrect_number' })).toMatchObject({ field: 'number' })
  expect(complaint({ param: 'payment_method_data[card][number]' })).toMatchObject({ field: 'number' })
  expect(complaint({ code: 'expired_card' })).toMatchObject({ field: 'expiry' })
  expect(complaint({ param: 'payment_method_data[card][exp_year]' })).toMatchObject({ field: 'expiry' })
  expect(complaint({ code: 'incorrect_cvc', param: 'cvc' })).toMatchObject({ field: 'cvc' })
})

test('whatever is not about the card is not blamed on it', () => {
  expect(outcomeOf({ error: { type: 'api_error', message: 'A stack trace.' } })).toEqual({
    state: 'unexpected',
  })
  expect(outcomeOf({})).toEqual({ state: 'unexpected' })
})

test('a card that failed after the bank was asked', () => {
  const last_payment_error = { type: 'card_error', message: 'Not authenticated.' }
  expect(outcomeOf({ paymentIntent: { ...intent('requires_payment_method'), last_payment_error } })).toEqual({
    state: 'refused',
    message: 'Not authenticated.',
    field: undefined,
  })
})
