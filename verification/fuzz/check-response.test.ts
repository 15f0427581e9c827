import type { Call } from '@sought/contract/call'
import { exportStatement, getReceipt } from '@sought/contract/documents'
import { createPaymentIntent } from '@sought/contract/payments'
import { getWantedItem } from '@sought/contract/requests'
import { getBankStatus, saveBankAccount } from '@sought/contract/sellers'
import { describe, expect, test } from 'vitest'
import { type Answer, checkNumbers, findViolations } from './check-response.ts'
import type { Written } from './write-log.ts'

describe('the checks of a response', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const answer = (status: number, body: unknown, more: Partial<Answer> = {}): Answer => ({
    status,
    headers: json,
    body: JSON.stringify(body),
    tookMs: 5,
    ...more,
  })
  const missing = { code: 'item_not_found', message: 'Item not found' }
  const written = [{ table: 'public.offers', operation: 'INSERT' as const, row: {} }]
  const presence = [{ table: 'public.sessions', operation: 'UPDATE' as const, row: {} }]

  test('accept correct responses', () => {
    expect(findViolations(getWantedItem, answer(404, missing), presence)).toEqual([])
    expect(findViolations(saveBankAccount, answer(200, { ok: true }), written)).toEqual([])
    expect(checkNumbers('{"amount":5}', answer(200, { amount: 5 }))).toEqual([])
  })

  test('ignore a row that was inserted and deleted again', () => {
    const message = 'The card service does not accept payments of this amount.'
    const refused = answer(409, { code: 'provider_refused', message })
    const write = (operation: Written['operation'], id: number) => ({
      table: 'public.payments',
      operation,
      row: { id },
    })
    expect(findViolations(createPaymentIntent, refused, [write('INSERT', 1), write('DELETE', 1)])).toEqual([])
    expect(
      findViolations(createPaymentIntent, refused, [write('INSERT', 1), write('DELETE', 2)]),
    ).toHaveLength(1)
  })

  test.each([
    ['a server error', answer(500, { code: 'internal', message: 'x' }), 'answered 500'],
    ['an unknown code', answer(404, { ...missing, code: 'gone' }), 'not in the catalogue'],
    ['another message', answer(404, { ...missing, message: 'gone' }), 'with another message'],
    ['another status', answer(409, missing), 'with status 409'],
    ['extra fields', answer(404, { ...missing, stack: 'at x' }), 'has extra fields'],
    [
      'an undeclared refusal',
      answer(409, { code: 'offer_expired', message: 'Offer expired' }),
      'not declare',
    ],
    ['an HTML page', answer(404, missing, { headers: { 'content-type': 'text/html' } }), 'not JSON'],
    ['no JSON', answer(404, missing, { body: 'oh' }), 'without JSON'],
    ['a slow response', answer(404, missing, { tookMs: 5_001 }), 'took 5001 ms'],
    [
      'an injected header',
      answer(404, missing, { headers: { ...json, 'x-hurt': '1' } }),
      'a header was injected',
    ],
    ['a reply of another shape', answer(200, { id: 7 }), 'does not match its schema'],
    ['another success', answer(201, {}), 'answered 201'],
  ])('report %s', (_, given, expected) => {
    const violations = findViolations(getWantedItem, given, [])
    expect(violations).toHaveLength(1)
    expect(violations[0]).toContain(expected)
  })

  test('report writes of refused and of reading requests', () => {
    const refused = answer(422, { code: 'invalid', message: 'Some fields are not valid. Please check them.' })
    expect(findViolations(saveBankAccount, refused, written)).toEqual([
      'refused, but wrote INSERT public.offers',
    ])
    const status = answer(200, { hasBankAccount: false, bankDetails: null })
    expect(findViolations(getBankStatus, status, written)).toEqual([
      'only read, but wrote INSERT public.offers',
    ])
  })

  test('the first reading of a document may issue its number, and nothing else', () => {
    const issued = { table: 'public.documents', operation: 'INSERT', row: {} } as const
    const refused = answer(404, { code: 'malformed' })
    const writesIn = (call: Call, given: Written[]) =>
      findViolations(call, answer(200, {}), given).filter((line) => line.startsWith('only read'))
    expect(writesIn(getReceipt, [issued])).toEqual([])
    expect(writesIn(exportStatement, [issued])).toEqual([])
    expect(writesIn(getReceipt, [issued, ...written])).toEqual(['only read, but wrote INSERT public.offers'])
    expect(writesIn(getBankStatus, [issued])).toEqual(['only read, but wrote INSERT public.documents'])
    expect(findViolations(getReceipt, refused, [issued])).toContain(
      'refused, but wrote INSERT public.documents',
    )
  })

  test('report a number that was changed', () => {
    const stored = answer(200, { minBudget: 0 })
    expect(checkNumbers('{"minBudget":1e-9}', stored)).toEqual(['minBudget was 1e-9 and came back as 0'])
  })
})
