import type {} from '@sought/server/testing/start-postgres'
import { expect, inject, test } from 'vitest'
import { withTemporaryDatabase } from '../support/temporary-database.ts'
import { crashes, runCrashPoints } from './run-crash-points.ts'

test('the market recovers after a process is killed that has just committed a hold', async () => {
  const crash = crashes.find(({ point, when }) => point.name === 'the commit of a hold' && when === 'after')
  if (!crash) throw new Error('there is no such crash point')
  const { unreached, violations } = await withTemporaryDatabase(inject('postgresUrl'), (databaseUrl) =>
    runCrashPoints({ databaseUrl, seed: 1, crashes: [crash] }),
  )
  expect([...unreached.values(), ...violations]).toEqual([])
}, 300_000)
