import { systemClock } from '../core/clock.ts'
import { BadConfig, readConfig } from '../core/config.ts'
import { readSecrets } from '../core/secrets.ts'
import { KeysNotInUse, useFirstKeys } from '../database/key-use.ts'
import { KEPT_DAYS } from '../database/retention.ts'
import { countFormerSessions, reencrypt } from '../jobs/reencrypt.ts'
import { withDatabase } from './with-database.ts'

/**
 * npm run rotate-keys: encrypts everything with the first DATA_KEY, and says what still needs the others (ADR 105). Exit
 * code 1 while something does.
 */
async function rotateKeys(): Promise<number> {
  const secrets = await readSecrets(readConfig())
  return withDatabase(async (database) => {
    await useFirstKeys(database.pool, secrets)
    const done = await reencrypt(database, secrets)
    for (const { what, changed, unreadable } of done)
      console.log(`${what}: ${changed} encrypted again${unreadable > 0 ? `, ${unreadable} unreadable` : ''}`)
    const unreadable = done.reduce((sum, column) => sum + column.unreadable, 0)
    console.log(
      unreadable > 0
        ? `DATA_KEY: ${unreadable} texts need a key that the list lacks.`
        : 'DATA_KEY: nothing needs another key than the first. The others can be removed.',
    )
    const sessions = await countFormerSessions(database.read, secrets, systemClock())
    console.log(
      sessions > 0
        ? `SESSION_SECRET: the cookies of ${sessions} sessions were signed with another key than the first. Each gets a new one at its next visit, and ends after ${KEPT_DAYS.session} days without one.`
        : 'SESSION_SECRET: no session needs another key than the first. Links in emails that are older than this list do.',
    )
    return unreadable > 0 ? 1 : 0
  })
}

try {
  process.exitCode = await rotateKeys()
} catch (error) {
  if (!(error instanceof BadConfig || error instanceof KeysNotInUse)) throw error
  console.error(error.message)
  process.exitCode = 1
}
