import fastify from 'fastify'
import type pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Refused } from './errors.ts'
import { watchPressure } from './pressure.ts'

/** Watches a pool, with a clock of its own. */
function watch() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => {
    vi.useRealTimers()
    clock.mockRestore()
  })
  const pool = { waitingCount: 0 }
  return {
    pool,
    setTime: (ms: number) => void clock.mockReturnValue(ms),
    runTimers: (ms: number) => void vi.advanceTimersByTime(ms),
    ...watchPressure(fastify(), pool as pg.Pool),
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

test('load is shed while many statements wait for a connection', () => {
  const { pool, refuseOverload } = watch()
  pool.waitingCount = 500
  expect(() => refuseOverload('/api/categories')).not.toThrow()
  pool.waitingCount = 501
  expect(() => refuseOverload('/api/categories')).toThrow(Refused)
  expect(() => refuseOverload('/healthz')).not.toThrow()
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
