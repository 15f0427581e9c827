import type { Posting } from '@sought/escrow/postings'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../platform/database.ts'
import { ledgerEntries } from '../../platform/schema.ts'

/**
 * Writes what a step moves. The same step a second time breaks a unique key, and with it the transaction.
 * All entries travel as one value: a statement with a place for each would take Node longer to write than
 * PostgreSQL to run, and a release writes many (ADR 4).
 */
export async function post(tx: Tx, ...postings: Posting[]): Promise<void> {
  const entries = postings.flatMap(({ key, paymentId, entries }) =>
    entries.map((entry) => ({ key, paymentId, ...entry })),
  )
  if (entries.length === 0) return
  await tx.execute(sql`
    insert into ${ledgerEntries} (key, payment_id, account, amount_cents, created_at)
    select key, "paymentId", account, "amountCents", ${tx.now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(entries)})
      as entry (key text, "paymentId" integer, account text, "amountCents" bigint)`)
}
