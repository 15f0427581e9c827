import { signIn } from '@sought/contract/accounts'
import type { AuditAction } from '@sought/contract/audit'
import type { Call } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { handOver } from '@sought/contract/deliveries'
import { exportStatement, getReceipt } from '@sought/contract/documents'
import { createPaymentIntent } from '@sought/contract/payments'
import { refusals } from '@sought/contract/refusals'
import { getWantedItem } from '@sought/contract/requests'
import { deleteAccount, downloadOwnData } from '@sought/contract/security'
import { getBankStatus, saveBankAccount } from '@sought/contract/sellers'
import { describe, expect, test } from 'vitest'
import { type Answer, checkAnyResponse, checkNumbers, findViolations } from './check-response.ts'
import { expectedCalls } from './expected-audit.ts'
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

  const audit = (action: AuditAction, operation: Written['operation'] = 'INSERT'): Written => ({
    table: 'public.audit_log',
    operation,
    row: { action },
  })
  const saved = [...written, audit('bank_account_saved')]

  test('accept correct responses', () => {
    expect(findViolations(getWantedItem, answer(404, missing), presence)).toEqual([])
    expect(findViolations(saveBankAccount, answer(200, { ok: true }), saved)).toEqual([])
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

  test('report writes of refused requests and of read-only requests', () => {
    const refused = answer(422, { code: 'invalid', message: 'Some fields are not valid. Please check them.' })
    expect(findViolations(saveBankAccount, refused, written)).toEqual([
      'refused, but wrote INSERT public.offers',
    ])
    const status = answer(200, { hasBankAccount: false, bankDetails: null })
    expect(findViolations(getBankStatus, status, written)).toEqual([
      'only read, but wrote INSERT public.offers',
    ])
  })

  test('allow the first read of a document to write its number, and nothing else', () => {
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

  test('allow only a read of a request to change its view count', () => {
    const viewed = { table: 'public.request_views', operation: 'UPDATE', row: {} } as const
    const writesIn = (call: Call) =>
      findViolations(call, answer(200, {}), [viewed]).filter((line) => line.startsWith('only read'))
    expect(writesIn(getWantedItem)).toEqual([])
    expect(writesIn(getBankStatus)).toEqual(['only read, but wrote UPDATE public.request_views'])
    expect(findViolations(getWantedItem, answer(404, missing), [viewed])).toEqual([
      'refused, but wrote UPDATE public.request_views',
    ])
  })

  test('allow a refused code to change only the count of wrong codes', () => {
    const counted = { table: 'public.payments', operation: 'UPDATE', row: {} } as const
    const refusal = (code: 'handover_code_wrong' | 'handover_locked') =>
      answer(refusals[code].status, { code, message: refusals[code].message })
    expect(findViolations(handOver, refusal('handover_code_wrong'), [counted])).toEqual([])
    expect(findViolations(handOver, refusal('handover_code_wrong'), [...written, counted])).toEqual([
      'refused, but wrote INSERT public.offers',
    ])
    expect(findViolations(handOver, refusal('handover_locked'), [counted])).toEqual([
      'refused, but wrote UPDATE public.payments',
    ])
  })

  test('accept a page that shows a refusal, but not one that shows an error', () => {
    const page = (status: number) =>
      answer(status, {}, { headers: { 'content-type': 'text/html' }, body: 'x'.repeat(50_000) })
    for (const status of [200, 404, 410, 422]) expect(checkAnyResponse(page(status))).toEqual([])
    for (const status of [400, 403, 500]) expect(checkAnyResponse(page(status))).toHaveLength(1)
  })

  test('require that the audit log records what each call did, and nothing else', () => {
    const done = answer(200, { ok: true })
    const twice = [audit('bank_account_saved'), audit('bank_account_saved')]
    expect(findViolations(saveBankAccount, done, written)).toEqual(['recorded bank_account_saved 0 times'])
    expect(findViolations(saveBankAccount, done, twice)).toEqual(['recorded bank_account_saved 2 times'])
    expect(findViolations(saveBankAccount, done, [...saved, audit('signed_in')])).toEqual([
      'recorded signed_in',
    ])
    const wrong = answer(401, { code: 'wrong_credentials', message: 'Please check your credentials' })
    expect(findViolations(signIn, wrong, [audit('sign_in_failed')])).toEqual([])
    expect(findViolations(signIn, wrong, [])).toEqual(['recorded sign_in_failed 0 times'])
    const invalid = answer(422, { code: 'invalid', message: 'Some fields are not valid. Please check them.' })
    expect(findViolations(signIn, invalid, [audit('sign_in_failed')])).toEqual(['recorded sign_in_failed'])
    expect(findViolations(downloadOwnData, done, [audit('data_exported')])).toEqual([])
    expect(
      findViolations(getBankStatus, answer(200, { hasBankAccount: false, bankDetails: null }), [
        audit('signed_in'),
      ]),
    ).toEqual(['recorded signed_in'])
    const erased = [audit('account_deleted'), audit('signed_in', 'UPDATE')]
    expect(findViolations(deleteAccount, done, erased)).toEqual([])
    expect(findViolations(saveBankAccount, done, [...saved, audit('signed_in', 'UPDATE')])).toEqual([
      'changed the audit log: UPDATE public.audit_log',
    ])
  })

  test('expect audit entries only of calls that exist', () => {
    const names = new Set(Object.values(calls).map(({ method, path }) => `${method} ${path}`))
    expect(expectedCalls.filter((name) => !names.has(name))).toEqual([])
  })

  test('report a number that was changed', () => {
    const stored = answer(200, { minBudget: 0 })
    expect(checkNumbers('{"minBudget":1e-9}', stored)).toEqual(['minBudget was 1e-9 and came back as 0'])
    const scheduled = answer(200, { processingFeeCents: 30, scheduledFees: [{ processingFeeCents: 35 }] })
    expect(checkNumbers('{"processingFeeCents":35}', scheduled)).toEqual([])
    expect(checkNumbers('{"processingFeeCents":36}', scheduled)).toEqual([
      'processingFeeCents was 36 and came back as 30, 35',
    ])
  })
})
