import type { Posting } from '@sought/escrow/postings'
import type { Tx } from '../../platform/database.ts'
import { ledgerEntries } from '../../platform/schema.ts'

/** Writes what a step moves. The same step a second time breaks a unique key, and with it the transaction. */
export async function post(tx: Tx, ...postings: Posting[]): Promise<void> {
  const rows = postings.flatMap(({ key, paymentId, entries }) =>
    entries.map((entry) => ({ key, paymentId, ...entry, createdAt: tx.now })),
  )
  await tx.insert(ledgerEntries).values(rows)
}
