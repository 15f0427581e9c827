// @module-tag proof

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPaidIntent, getError, openWorld, SECRET_KEY } from '../testing/world.ts'

const FORM = 'application/x-www-form-urlencoded'

test('an error names the invalid parameter', async () => {
  const { stripe, sandbox } = await openWorld()
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': FORM, ...headers },
      body,
    })
    const { error } = (await answer.json()) as { error: { code?: string; param?: string; type: string } }
    return { status: answer.status, code: error.code, param: error.param, type: error.type }
  }
  const type = 'invalid_request_error'
  const intents = (body: string) => post('/v1/payment_intents', body)
  expect(await intents('currency=usd')).toEqual({
    status: 400,
    code: 'parameter_missing',
    param: 'amount',
    type,
  })
  expect(await intents('amount=9.5&currency=usd')).toEqual({
    status: 400,
    code: 'parameter_invalid_integer',
    param: 'amount',
    type,
  })
  expect(await intents('amount=1&currency=usd')).toMatchObject({ code: 'amount_too_small', param: 'amount' })
  expect(await intents('amount=100000000&currency=usd')).toMatchObject({ code: 'amount_too_large' })
  expect(await intents('amount=900&currency=zzz')).toMatchObject({ status: 400, param: 'currency' })
  expect(await intents('amount=900&currency=usd&colour=red')).toMatchObject({
    code: 'parameter_unknown',
    param: 'colour',
  })
  expect(await intents('amount=900&currency=usd&metadata[a][b]=c')).toMatchObject({ param: 'metadata[a]' })
  expect(await intents('amount=900&currency=usd&description=')).toMatchObject({
    code: 'parameter_invalid_empty',
    param: 'description',
  })
  expect(await intents('amount=900&currency=usd&customer=cus_nobody')).toMatchObject({
    code: 'resource_missing',
    param: 'customer',
  })
  expect(await intents('amount=900&currency=usd&return_url=javascript:alert(1)')).toMatchObject({
    code: 'url_invalid',
    param: 'return_url',
  })
  expect(await intents('a=1&a[b]=2')).toMatchObject({ status: 400, type })
  expect(await intents('amount=900&currency=usd&description=%00')).toMatchObject({ status: 400, type })
  expect(await intents('a[b][c][d][e][f][g]=1')).toMatchObject({ status: 400, type })
  expect(await intents('__proto__[polluted]=1&amount=900&currency=usd')).toMatchObject({
    code: 'parameter_unknown',
    param: '__proto__',
  })
  expect(await post('/v1/nonsense', '')).toMatchObject({ status: 404, type })
  expect(await post('/v1/payment_intents', '{}', { 'content-type': 'application/json' })).toMatchObject({
    status: 415,
    type,
  })
  expect(await intents(`description=${'x'.repeat(1_100_000)}`)).toMatchObject({ status: 413, type })

  expect(await getError(stripe.paymentIntents.retrieve('pi_nothing'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such payment_intent: 'pi_nothing'",
  })
  expect((await getError(stripe.paymentIntents.list({ limit: 101 }))).param).toBe('limit')
  expect((await getError(stripe.paymentIntents.list({ starting_after: 'pi_nothing' }))).param).toBe(
    'starting_after',
  )
  expect((await getError(stripe.customers.create({}, { stripeAccount: 'acct_x' }))).statusCode).toBe(400)
})

test('no request causes a server error', async () => {
  const { stripe, sandbox } = await openWorld()
  const { intent, charge } = await createPaidIntent(stripe)
  const ids = [intent.id, charge, 'acct_1', '%00', '..', '%ff', "'", 'a b', '🂡', 'x'.repeat(400)]
  const nouns = [
    'payment_intents',
    'charges',
    'refunds',
    'transfers',
    'accounts',
    'events',
    'disputes',
    'customers',
  ]
  const names = [
    'amount',
    'currency',
    'charge',
    'payment_intent',
    'destination',
    'metadata',
    'metadata[a]',
    'metadata[]',
    'expand',
    'expand[]',
    'expand[0]',
    'limit',
    'starting_after',
    'created',
    'created[gte]',
    'payment_method_data[card][number]',
    'payment_method_data[type]',
    'payment_method',
    'return_url',
    'type',
    'capabilities[transfers][requested]',
    'types[]',
    '[',
    'a]b[',
    '',
  ]
  // fc.string with the unit 'binary' generates the same characters, but takes a second to build.
  const character = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '-1',
      '900',
      '1e9',
      '99999999999999999999',
      'usd',
      'true',
      'null',
      charge,
      intent.id,
      'pm_card_visa',
      'data.latest_charge',
      'id.x',
      '\0',
      '💥',
    ),
    fc.string({ unit: character, maxLength: 40 }),
  )
  const form = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })
  const path = fc
    .tuple(
      fc.constantFrom(...nouns),
      fc.option(fc.constantFrom(...ids)),
      fc.constantFrom('', '/confirm', '/cancel', '/reversals', '/close'),
    )
    .map(([noun, id, end]) => `/v1/${noun}${id === null ? '' : `/${id}`}${end}`)

  await fc.assert(
    fc.asyncProperty(path, form, fc.constantFrom('GET', 'POST', 'DELETE'), async (path, form, method) => {
      const text = new URLSearchParams(
        form.map(([name, value]): [string, string] => [name, value.toWellFormed()]),
      ).toString()
      const answer = await fetch(`${sandbox.url}${path}${method === 'POST' ? '' : `?${text}`}`, {
        method,
        headers: {
          authorization: `Bearer ${SECRET_KEY}`,
          ...(method === 'POST' && { 'content-type': FORM }),
        },
        ...(method === 'POST' && { body: text }),
      })
      const body = await answer.text()
      expect({ path, method, text, status: answer.status, body }).toSatisfy(({ status }) => status < 500)
      expect(() => JSON.parse(body)).not.toThrow()
    }),
    { numRuns: 400 },
  )
})

test('a body that is not a form is refused', async () => {
  const { sandbox } = await openWorld()
  for (const body of ['%', '%zz=%', '&&&===', '\x00\x01\xff', '[]=1', 'a[=1', ']']) {
    const answer = await fetch(`${sandbox.url}/v1/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': FORM },
      body,
    })
    expect([200, 400]).toContain(answer.status)
  }
})
