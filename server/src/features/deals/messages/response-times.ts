import { sql } from 'drizzle-orm'
import type { Services } from '../../../services.ts'
import { saveResponseTimes } from './response-times-queries.ts'

const PERIOD_MS = 90 * 86_400_000
const MIN_CONVERSATIONS = 3

/** Calculates how fast people answer, for their profiles. Runs once a day because it reads all conversations. */
export async function updateResponseTimes({ database }: Pick<Services, 'database'>): Promise<void> {
  await database.transact(async (tx) => {
    // In a large market this takes longer than the usual statement timeout.
    await tx.execute(sql`set local statement_timeout = 0`)
    const since = new Date(tx.now.getTime() - PERIOD_MS)
    await saveResponseTimes(tx, { since, minConversations: MIN_CONVERSATIONS })
  })
}
