import fastify from 'fastify'
import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Refused } from './errors.ts'
import { watchPressure } from './pressure.ts'

/** Watches a pool that connects when told to, with a clock of its own. */
function watch() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => {
    vi.useRealTimers()
    clock.mockRestore()
  })
  const connections: ((error?: Error) => void)[] = []
  const pool = {
    waitingCount: 0,
    connect: (callback?: (error?: Error) => void) => {
      if (callback) return void connections.push(callback)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      connections.push((error) => (error ? reject(error) : resolve()))
      return promise
    },
  }
  return {
    pool,
    connections,
    setTime: (ms: number) => void clock.mockReturnValue(ms),
    runTimers: (ms: number) => void vi.advanceTimersByTime(ms),
    ...watchPressure(fastify(), pool as unknown as pg.Pool),
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

test('load is shed while many statements wait for a connection, the first one for more than a second', async () => {
  const { pool, connections, refuseOverload, setTime } = watch()
  const first = pool.connect()
  setTime(500)
  const answers: unknown[] = []
  pool.connect((error) => answers.push(error))
  pool.waitingCount = 201
  setTime(1_000)
  expect(() => refuseOverload('/api/categories')).not.toThrow()
  setTime(1_001)
  expect(() => refuseOverload('/api/categories')).toThrow(Refused)
  expect(() => refuseOverload('/healthz')).not.toThrow()
  pool.waitingCount = 200
  expect(() => refuseOverload('/api/categories')).not.toThrow()

  // The queue moves on, also if a connection fails.
  pool.waitingCount = 201
  const [connect, fail] = connections
  connect?.()
  await first
  expect(() => refuseOverload('/api/categories')).not.toThrow()
  setTime(1_501)
  expect(() => refuseOverload('/api/categories')).toThrow(Refused)
  fail?.(new Error('no connection'))
  expect(answers).toEqual([new Error('no connection')])
  expect(() => refuseOverload('/api/categories')).not.toThrow()
})

test('the server is busy after five seconds with hardly any idle time, until it has some again', () => {
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
