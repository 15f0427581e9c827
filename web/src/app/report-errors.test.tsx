import { reportBrowserError } from '@sought/contract/platform'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reportErrors } from './report-errors.ts'

/** Reports errors to a list instead of the server. */
function openPage(path = '/deal/7?token=secret') {
  const beacons: [path: string, body: Blob][] = []
  const sendBeacon = vi.fn((path: string, body: Blob) => beacons.push([path, body]) > 0)
  vi.stubGlobal('navigator', { sendBeacon })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  window.history.replaceState(null, '', path)
  const leave = new AbortController()
  onTestFinished(() => leave.abort())
  const report = reportErrors({ signal: leave.signal })
  const reported = () => Promise.all(beacons.map(async ([, body]) => JSON.parse(await body.text())))
  return { beacons, logged, report, reported, sendBeacon }
}

const throwInScript = (error: unknown) => window.dispatchEvent(new ErrorEvent('error', { error }))

function rejectWith(reason: unknown) {
  // happy-dom has no PromiseRejectionEvent.
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }))
}

/** An error of our own code. */
const anError = (message: string) =>
  Object.assign(new TypeError(message), { stack: `at ${location.origin}/assets/app.js:1:2` })

test('errors of scripts, promises and screens are reported without the query of the page', async () => {
  const { beacons, logged, report, reported } = openPage()
  throwInScript(anError('one'))
  rejectWith(anError('two'))
  expect(logged).not.toHaveBeenCalled()
  report(anError('three'))
  expect(logged).toHaveBeenCalledExactlyOnceWith(anError('three'))
  const stack = 'at http://localhost:3000/assets/app.js:1:2'
  expect(await reported()).toEqual([
    { kind: 'error', message: 'TypeError: one', stack, path: '/deal/7' },
    { kind: 'rejection', message: 'TypeError: two', stack, path: '/deal/7' },
    { kind: 'screen', message: 'TypeError: three', stack, path: '/deal/7' },
  ])
  for (const [path, body] of beacons)
    expect([path, body.type]).toEqual(['/api/browser-errors', 'application/json'])
  for (const body of await reported()) expect(reportBrowserError.body.parse(body)).toEqual(body)
})

test('the server accepts the longest texts that browsers send', async () => {
  const { report, reported } = openPage(`/${'long/'.repeat(100)}`)
  report(Object.assign(anError('x'.repeat(1000)), { stack: location.origin.repeat(1000) }))
  const [body] = await reported()
  expect(reportBrowserError.body.parse(body)).toEqual(body)
})

test('a page sends at most three reports, and each error once', async () => {
  const { report, reported } = openPage()
  for (const message of ['one', 'one', 'two', 'three', 'four']) throwInScript(anError(message))
  report(anError('five'))
  expect((await reported()).map(({ message }) => message)).toEqual([
    'TypeError: one',
    'TypeError: two',
    'TypeError: three',
  ])
})

test('errors of extensions and of scripts from other hosts are not reported', async () => {
  const { reported } = openPage()
  throwInScript(null)
  throwInScript(Object.assign(new Error('extension'), { stack: 'at chrome-extension://abc/content.js:1:2' }))
  expect(await reported()).toEqual([])
})

test.each([
  ['a text', 'no'],
  ['undefined', undefined],
  ['an object without a text', Object.create(null)],
])('a rejection with %s is reported at most once and causes no further error', async (_, reason) => {
  const { reported } = openPage()
  expect(() => rejectWith(reason)).not.toThrow()
  expect((await reported()).length).toBeLessThanOrEqual(1)
})

test('a browser that cannot send reports causes no further error', () => {
  const { report, sendBeacon } = openPage()
  sendBeacon.mockImplementation(() => {
    throw new Error('blocked')
  })
  expect(() => report(anError('one'))).not.toThrow()
})
