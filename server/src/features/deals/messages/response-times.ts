import { sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'

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

interface Period {
  /** Conversations that started earlier are ignored. */
  since: Date
  minConversations: number
}

/**
 * Saves the median time from somebody else's first message to the person's first answer. Ignores
 * conversations that the person started or never answered.
 */
async function saveResponseTimes(tx: Tx, { since, minConversations }: Period): Promise<void> {
  await tx.execute(sql`
    with first_messages as (
      select wanted_item_id, sender_id, receiver_id, min(created_at) as sent_at
      from messages group by wanted_item_id, sender_id, receiver_id
    ), answers as (
      select answer.sender_id as user_id, extract(epoch from answer.sent_at - asked.sent_at) / 60 as minutes
      from first_messages asked
      join first_messages answer on answer.wanted_item_id = asked.wanted_item_id
        and answer.sender_id = asked.receiver_id and answer.receiver_id = asked.sender_id
      where asked.sent_at >= ${since.toISOString()}::timestamptz and answer.sent_at > asked.sent_at
    ), medians as (
      select user_id, ceil(percentile_cont(0.5) within group (order by minutes))::integer as minutes
      from answers group by user_id having count(*) >= ${minConversations}::integer
    )
    update users set response_minutes = medians.minutes
    from users person left join medians on medians.user_id = person.id
    where users.id = person.id and users.response_minutes is distinct from medians.minutes`)
}
