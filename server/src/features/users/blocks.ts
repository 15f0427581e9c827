import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { refuse } from '../../core/errors.ts'
import type { Db, Tx } from '../../database/database.ts'
import { blocks } from '../../database/schema.ts'

type PersonId = string | SQL | AnyPgColumn

/** The SQL condition that one of two people has blocked the other. False if one of them is null. */
export function areBlocked(one: PersonId, other: PersonId): SQL<boolean> {
  return sql<boolean>`(
    exists (select from ${blocks} where blocker_id = ${one} and blocked_id = ${other})
    or exists (select from ${blocks} where blocker_id = ${other} and blocked_id = ${one}))`
}

export async function isBlocked(db: Db, one: string, other: string): Promise<boolean> {
  const { rows } = await db.execute<{ is_blocked: boolean }>(
    sql`select ${areBlocked(one, other)} as is_blocked`,
  )
  return rows[0]?.is_blocked ?? false
}

/** The same key in both directions, and different from the keys of inboxes and offers. */
const pairKey = (one: string, other: string) => sql`hashtextextended(${`block:${[one, other].sort()}`}, 0)`

/**
 * Delays a block between these people until this transaction ends, so that nothing arrives after a block is
 * acknowledged.
 */
export async function delayBlocks(tx: Tx, one: string, other: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${pairKey(one, other)})`)
}

/** Refuses contact if one of the two has blocked the other. No block can be added until the transaction ends. */
export async function requireUnblocked(tx: Tx, one: string, other: string): Promise<void> {
  await delayBlocks(tx, one, other)
  if (await isBlocked(tx, one, other)) throw refuse('blocked')
}

/** Waits for messages and offers that are being sent between these people, and delays later ones. */
export async function lockContact(tx: Tx, one: string, other: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${pairKey(one, other)})`)
}
