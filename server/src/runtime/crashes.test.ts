import { expect, test } from 'vitest'
import { createLog } from '../core/log.ts'
import { createCrashHandlers } from './crashes.ts'

test('an unhandled loss of a database connection does not stop the process, any other error does', () => {
  const lines: string[] = []
  let stops = 0
  const log = createLog({ level: 'error', destination: { write: (line: string) => void lines.push(line) } })
  const { onError, onRejection } = createCrashHandlers(log, () => stops++)
  onRejection(new Error('Connection terminated unexpectedly'))
  expect(stops).toBe(0)
  expect(lines.join('')).toContain('unhandled loss of a database connection')
  onRejection(new TypeError('x is not a function'))
  expect(stops).toBe(1)
  onError(new Error('Connection terminated unexpectedly'))
  expect(stops).toBe(2)
})
