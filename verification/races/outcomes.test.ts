import { expect, test } from 'vitest'
import { allRaces, outcomesOf } from './outcomes.ts'
import type { ActionName, StartName } from './payment-model.ts'

test('the model lists each possible winner and the refusals of the other actions', () => {
  const answersOf = (start: StartName, ...actions: ActionName[]) =>
    [...new Set([...outcomesOf({ start, actions }).all].map((outcome) => outcome.split(';')[0]))].toSorted()

  expect(answersOf('an offer is pending', 'accept', 'reject', 'withdraw the offer')).toEqual([
    'offer_not_pending, offer_not_pending, ok',
    'offer_not_pending, ok, offer_not_pending',
    'ok, offer_not_pending, offer_not_pending',
  ])
  expect(answersOf('agreed', 'pay', 'pay')).toEqual([
    'already charged, ok',
    'offer_already_paid, ok',
    'ok, already charged',
    'ok, offer_already_paid',
  ])
  expect(answersOf('charged, webhook pending', 'webhook', 'confirm manually')).toEqual(['ok, ok'])
  expect(answersOf('held', 'confirm', 'dispute')).toEqual([
    'ok, payment_wrong_state',
    'payment_wrong_state, ok',
  ])
  expect(answersOf('held', 'dispute', 'rule')).toEqual(['ok, dispute_not_found', 'ok, ok'])
  expect(answersOf('held and due', 'confirm', 'dispute', 'auto-release')).toEqual([
    'ok, payment_wrong_state, skipped',
    'payment_wrong_state, ok, skipped',
    'payment_wrong_state, payment_wrong_state, ok',
  ])
  // One of two sweeps releases the payment, unless both skip it because an admin has locked it.
  expect(answersOf('held and due', 'accept', 'auto-release', 'auto-release')).toEqual([
    'offer_not_pending, ok, skipped',
  ])
  expect(answersOf('held and due', 'auto-release', 'auto-release', 'rule')).toEqual([
    'ok, skipped, dispute_not_found',
    'skipped, skipped, dispute_not_found',
  ])
  expect(answersOf('disputed, with a proposal', 'settle', 'rule')).toEqual([
    'dispute_resolved, ok',
    'ok, dispute_resolved',
  ])
  expect(answersOf('held, to be shipped', 'ship', 'cancel as the seller')).toEqual([
    'not_shippable, ok',
    'ok, not_cancellable',
  ])
  expect(answersOf('held, never shipped', 'ship', 'auto-release')).toEqual([
    'not_shippable, ok',
    'ok, skipped',
  ])
  expect(allRaces().length).toBe(967)
})
