import { createPaymentIntent } from '@sought/contract/payments'
import { getWantedItem } from '@sought/contract/requests'
import { getBankStatus, saveBankAccount } from '@sought/contract/sellers'
import type {} from '@sought/server/testing/start-postgres'
import { describe, expect, inject, test } from 'vitest'
import { type Answer, wrongNumbers, wrongs } from './check-response.ts'
import { fuzz } from './fuzz.ts'
import type { Written } from './write-log.ts'

/** Six tries of every call; `npm run proof` makes three thousand. */
const SHARE = 6 / 3_000

test('whatever is sent, it is answered in time with what the contract says, and a refusal stores nothing', async () => {
  const lines = await fuzz({ postgresUrl: inject('postgresUrl'), seed: 2026, share: SHARE })
  expect(
    lines.flatMap(({ what, violations }) => violations.map((violation) => `${what}: ${violation}`)),
  ).toEqual([])
  for (const { what, times } of lines) expect(times, what).toBeGreaterThan(1)
}, 120_000)

describe('whoever judges sees', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const answer = (status: number, said: unknown, more: Partial<Answer> = {}): Answer => ({
    status,
    headers: json,
    body: JSON.stringify(said),
    tookMs: 5,
    ...more,
  })
  const missing = { code: 'item_not_found', message: 'Item not found' }
  const written = [{ table: 'public.offers', operation: 'INSERT' as const, row: {} }]
  const passing = [{ table: 'public.sessions', operation: 'UPDATE' as const, row: {} }]

  test('nothing where nothing is wrong', () => {
    expect(wrongs(getWantedItem, answer(404, missing), passing)).toEqual([])
    expect(wrongs(saveBankAccount, answer(200, { ok: true }), written)).toEqual([])
    expect(wrongNumbers('{"amount":5}', answer(200, { amount: 5 }))).toEqual([])
  })

  test('that a row was written and taken back', () => {
    const message = 'The card service does not accept payments of this amount.'
    const refused = answer(409, { code: 'provider_refused', message })
    const write = (operation: Written['operation'], id: number) => ({
      table: 'public.payments',
      operation,
      row: { id },
    })
    expect(wrongs(createPaymentIntent, refused, [write('INSERT', 1), write('DELETE', 1)])).toEqual([])
    expect(wrongs(createPaymentIntent, refused, [write('INSERT', 1), write('DELETE', 2)])).toHaveLength(1)
  })

  test.each([
    ['an error of ours', answer(500, { code: 'internal', message: 'x' }), 'answered 500'],
    ['a code of nobody', answer(404, { ...missing, code: 'gone' }), 'no code of the catalogue'],
    ['other words', answer(404, { ...missing, message: 'gone' }), 'in other words'],
    ['another status', answer(409, missing), 'with status 409'],
    ['too much', answer(404, { ...missing, stack: 'at x' }), 'says more than it should'],
    [
      'what was not declared',
      answer(409, { code: 'offer_expired', message: 'Offer expired' }),
      'not declare',
    ],
    ['a page', answer(404, missing, { headers: { 'content-type': 'text/html' } }), 'not JSON'],
    ['no JSON', answer(404, missing, { body: 'oh' }), 'without JSON'],
    ['slowness', answer(404, missing, { tookMs: 5_001 }), 'took 5001 ms'],
    ['a header', answer(404, missing, { headers: { ...json, 'x-hurt': '1' } }), 'a header was injected'],
    ['another shape', answer(200, { id: 7 }), 'of another shape'],
    ['another success', answer(201, {}), 'answered 201'],
  ])('%s', (_, given, words) => {
    const wrong = wrongs(getWantedItem, given, [])
    expect(wrong).toHaveLength(1)
    expect(wrong[0]).toContain(words)
  })

  test('what was written by who was refused, and by who only read', () => {
    const refused = answer(422, { code: 'invalid', message: 'Some fields are not valid. Please check them.' })
    expect(wrongs(saveBankAccount, refused, written)).toEqual(['refused, and wrote INSERT public.offers'])
    const status = answer(200, { hasBankAccount: false, bankDetails: null })
    expect(wrongs(getBankStatus, status, written)).toEqual(['only read, and wrote INSERT public.offers'])
  })

  test('a number that was made to fit', () => {
    const stored = answer(200, { minBudget: 0 })
    expect(wrongNumbers('{"minBudget":1e-9}', stored)).toEqual(['minBudget was 1e-9 and came back as 0'])
  })
})
