import { BROWSER_ERROR_KINDS } from '@sought/contract/platform'
import { expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { METRICS_ACCESS, openWorld } from '../testing/world.ts'
import { describeMessage } from './browser-errors.ts'

const CALL = 'POST /api/browser-errors'

const broken = {
  kind: 'error',
  message: "TypeError: Cannot read properties of undefined (reading 'Ada Secret')",
  stack: [
    "TypeError: Cannot read properties of undefined (reading 'Ada Secret')",
    '    at Secret (https://sought.example/assets/app-Bx1_9-z.js:12:345?token=secret-one)',
    '    at https://sought.example/assets/parts-77.js:1:6789',
    '    at chrome-extension://secret-two/content.js:3:4',
    'drawSecret@https://sought.example/assets/app-Bx1_9-z.js:9:8',
    '    at https://sought.example/reset-password/secret-three:1:2',
  ].join('\n'),
  path: '/reset-password',
}

/** A server that listens to its own log. */
async function openMarket() {
  const lines: string[] = []
  const it = await openWorld({ LOG_LEVEL: 'info' }, (line) => lines.push(line))
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'browser error')
  const counted = async () => {
    const { body } = await it.visitor('GET /metrics', undefined, METRICS_ACCESS)
    return body.split('\n').filter((line) => line.startsWith('sought_browser_errors_total{'))
  }
  return { ...it, lines, logged, counted }
}

test('an error is logged in one line with our own file names, and counted by kind', async () => {
  const { visitor, logged, counted, lines } = await openMarket()
  expect(await counted()).toEqual(
    BROWSER_ERROR_KINDS.map((kind) => `sought_browser_errors_total{kind="${kind}"} 0`),
  )
  expect((await visitor(CALL, broken)).json()).toEqual({ ok: true })
  await eventually(() => expect(logged()).toHaveLength(1))
  expect(logged()[0]).toMatchObject({
    level: 40,
    kind: 'error',
    message: 'TypeError: Cannot read properties of undefined (reading [text])',
    stack: ['app-Bx1_9-z.js:12:345', 'parts-77.js:1:6789', 'app-Bx1_9-z.js:9:8'],
    page: '/reset-password',
  })
  expect(Object.keys(logged()[0]).sort()).toEqual([
    'hostname',
    'kind',
    'level',
    'message',
    'msg',
    'page',
    'pid',
    'stack',
    'time',
  ])
  expect(await counted()).toContain('sought_browser_errors_total{kind="error"} 1')
  expect(lines.join('')).not.toMatch(/secret/i)
})

test.each([
  ['Error: no user ada@example.com', 'Error: no user [email]'],
  ['Order 4711 of 2 failed', 'Order # of # failed'],
  ['Failed to fetch https://sought.example/item/7?token=abc now', 'Failed to fetch [url] now'],
  [
    'Failed to fetch dynamically imported module: https://sought.example/assets/item-screen-B7x_1-2z.js',
    'Failed to fetch dynamically imported module: item-screen-B7x_1-2z.js',
  ],
  ['GET /verify-email/abc failed', 'GET [url] failed'],
  [
    'Unexpected token \'A\', ..."name": Ada, "x"... is not valid JSON',
    'Unexpected token [text]... is not valid JSON',
  ],
  ["can't read “Ada’s”", "can't read [text]"],
  ['value"Ada"', 'value[text]'],
  ['Invalid text "that was cut off in the mid', 'Invalid text [text]'],
  [`Bad token ${'abcdefgh'.repeat(6)}`, 'Bad token [text]'],
  ['one\ntwo', 'one two'],
  [`${'long '.repeat(60)}`, `${'long '.repeat(39)}long`],
  [
    'Error: Minified React error #418; visit https://react.dev/errors/418?args[]=Ada for the full message',
    'Minified React error #418',
  ],
])('the message “%s” is logged as “%s”', (message, expected) => {
  expect(describeMessage(message)).toBe(expected)
})

test('invisible characters are not logged', () => {
  expect(describeMessage('one\u0000\u202e\u001b[31mtwo')).toBe('one [#mtwo')
})

test('the same error is counted each time, but logged once an hour', async () => {
  const { visitor, advanceClock, logged, counted } = await openMarket()
  for (const time of ['first', 'second'])
    expect([time, (await visitor(CALL, broken)).statusCode]).toEqual([time, 200])
  await visitor(CALL, { ...broken, kind: 'screen' })
  advanceClock(3_600_000)
  await visitor(CALL, broken)
  await eventually(() => expect(logged().map(({ kind }) => kind)).toEqual(['error', 'screen', 'error']))
  expect(await counted()).toContain('sought_browser_errors_total{kind="error"} 3')
})

test('different errors are logged at most a hundred times an hour', async () => {
  const { visitor, logged } = await openMarket()
  for (let at = 0; at < 105; at++) {
    const stack = `    at https://sought.example/assets/app.js:1:${at}`
    const from = { remoteAddress: `192.0.2.${at}` }
    expect((await visitor(CALL, { ...broken, stack }, from)).statusCode).toBe(200)
  }
  await eventually(() => expect(logged()).toHaveLength(100))
})

test('reports are limited per IP address and in size, and must have a known kind', async () => {
  const { visitor } = await openMarket()
  const statusOf = async (body: object, remoteAddress: string) =>
    (await visitor(CALL, body, { remoteAddress })).statusCode
  for (const body of [
    {},
    { ...broken, kind: 'secret' },
    { ...broken, message: 'x'.repeat(501) },
    { ...broken, stack: 'x'.repeat(4001) },
    { ...broken, path: 'x'.repeat(201) },
  ])
    expect(await statusOf(body, '192.0.2.1')).toBe(422)
  const statuses = await Promise.all(Array.from({ length: 31 }, () => statusOf(broken, '192.0.2.2')))
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  expect(await statusOf(broken, '192.0.2.3')).toBe(200)
})
