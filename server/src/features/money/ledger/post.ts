import type { Conversion } from '@sought/escrow/conversion'
import { conversionPosting, type Posting } from '@sought/escrow/postings'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { hasRow } from '../../../database/rows.ts'
import { ledgerEntries, payments } from '../../../database/schema.ts'

/**
 * Writes ledger entries. Posting the same key twice violates a unique key and aborts the transaction. All entries
 * are sent as one JSON parameter: for a large release, building a statement with thousands of parameters would
 * take Node longer than PostgreSQL needs to run it (ADR 4).
 */
export async function post(tx: Tx, ...postings: Posting[]): Promise<void> {
  const entries = postings.flatMap(({ key, paymentId, entries }) =>
    entries.map((entry) => ({ key, paymentId, ...entry })),
  )
  if (entries.length === 0) return
  await tx.execute(sql`
    insert into ${ledgerEntries} (key, payment_id, account, amount_cents, currency, created_at)
    select key, "paymentId", account, entry.amount, coalesce(entry.currency, payment.currency),
      ${tx.now.toISOString()}::timestamptz
    from json_to_recordset(${JSON.stringify(entries)})
        as entry (key text, "paymentId" integer, account text, amount bigint, currency text)
      left join ${payments} payment on payment.id = "paymentId"`)
}

/** Whether a posting exists. The caller holds a lock, so that nobody else writes it now. */
export async function isPosted(tx: Tx, key: string): Promise<boolean> {
  return hasRow(tx, ledgerEntries, { key })
}

/** Books what the provider converted, once. The caller has locked the payment or its payout. */
export async function bookConversion(
  tx: Tx,
  payment: { id: number },
  conversion: Conversion | null | undefined,
): Promise<void> {
  if (!conversion) return
  const posting = conversionPosting(payment, conversion)
  if (!(await isPosted(tx, posting.key))) await post(tx, posting)
}
