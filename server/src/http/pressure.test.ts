import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Refused } from '../core/errors.ts'
import { eventually } from '../testing/eventually.ts'
import { answerError } from './answer-error.ts'
import { watchPressure } from './pressure.ts'

/** Watches an app whose time passes only when told to. */
function watch(app = fastify()) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => {
    vi.useRealTimers()
    clock.mockRestore()
  })
  return {
    setTime: (ms: number) => void clock.mockReturnValue(ms),
    runTimers: (ms: number) => void vi.advanceTimersByTime(ms),
    ...watchPressure(app),
  }
}

test('load is shed after two late timers in a row, but not after one', () => {
  const { refuseOverload, setTime, runTimers } = watch()
  const runTimerAt = (ms: number) => {
    setTime(ms)
    runTimers(100)
  }
  runTimerAt(100)
  runTimerAt(900)
  expect(() => refuseOverload('/api/categories')).not.toThrow()
  runTimerAt(1_700)
  expect(() => refuseOverload('/api/categories')).toThrow(Refused)
  expect(() => refuseOverload('/readyz')).not.toThrow()
  runTimerAt(1_800)
  expect(() => refuseOverload('/api/categories')).not.toThrow()
})

test('load is shed while 300 requests are in progress, not counting long ones', async () => {
  const app = fastify()
  app.setErrorHandler(answerError)
  const { refuseOverload } = watch(app)
  const { promise: opened, resolve: open } = Promise.withResolvers<string>()
  app.get('/slow', () => opened)
  app.post('/upload', { config: { takesLong: true } }, () => opened)
  app.get('/fails', async () => {
    throw new Error('our mistake')
  })
  await app.ready()
  for (let failed = 0; failed < 300; failed++) await app.inject('/fails')
  const waiting = [
    ...Array.from({ length: 299 }, () => app.inject('/slow')),
    ...Array.from({ length: 10 }, () => app.inject({ method: 'POST', url: '/upload' })),
  ]
  await new Promise(setImmediate)
  expect(() => refuseOverload('/slow')).not.toThrow()
  // Both pass the first check, and one of them the second.
  const last = [app.inject('/slow'), app.inject('/slow')]
  expect((await Promise.race(last)).statusCode).toBe(503)
  expect(() => refuseOverload('/slow')).toThrow(Refused)
  expect(() => refuseOverload('/healthz')).not.toThrow()
  open('done')
  const statuses = (await Promise.all([...waiting, ...last])).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(310)
  expect(() => refuseOverload('/slow')).not.toThrow()
})

test('a request whose client hangs up counts until its work is done, but not longer', {
  tags: ['proof'],
}, async () => {
  const app = fastify()
  const { refuseOverload } = watch(app)
  let started = 0
  const { promise: opened, resolve: open } = Promise.withResolvers<string>()
  app.get('/slow', () => {
    started++
    return opened
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const hangUp = new AbortController()
  const asked = Array.from({ length: 300 }, () => fetch(`${address}/slow`, { signal: hangUp.signal }))
  await eventually(() => expect(started).toBe(300))
  hangUp.abort()
  await Promise.allSettled(asked)
  expect(() => refuseOverload('/slow')).toThrow(Refused)
  open('done')
  await eventually(() => expect(() => refuseOverload('/slow')).not.toThrow())
})

test('the server is busy after five seconds with hardly any idle time, and until there is some again', () => {
  let [idle, active] = [0, 0]
  const measured = vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((now, last) => {
    const [spentIdle, spentActive] = [
      (now?.idle ?? idle) - (last?.idle ?? 0),
      (now?.active ?? active) - (last?.active ?? 0),
    ]
    return { idle: spentIdle, active: spentActive, utilization: spentActive / (spentIdle + spentActive) }
  })
  onTestFinished(() => measured.mockRestore())
  const { isBusy, runTimers } = watch()
  const spend = (activeMs: number, idleMs: number) => {
    active += activeMs
    idle += idleMs
    runTimers(activeMs + idleMs)
  }
  expect(isBusy()).toBe(false)
  spend(4_600, 0)
  expect(isBusy()).toBe(false)
  spend(0, 400)
  expect(isBusy()).toBe(true)
  spend(4_400, 600)
  expect(isBusy()).toBe(false)
})
