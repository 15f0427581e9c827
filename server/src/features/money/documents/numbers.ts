import type { Tx } from '../../../database/database.ts'
import type { Document, Subject } from './queries.ts'
import * as queries from './queries.ts'

/** 'R-2026-000123' or 'S-2026-11-000123'. */
export function formatNumber({ series, sequence }: Pick<Document, 'series' | 'sequence'>): string {
  return `${series}-${String(sequence).padStart(6, '0')}`
}

/** Returns the document of a payment or month. The first call issues it with the next number of its series. */
export async function issueDocument(tx: Tx, subject: Subject): Promise<Document> {
  const known = await queries.findDocument(tx, subject)
  if (known) return known
  const series = 'paymentId' in subject ? `R-${tx.now.getUTCFullYear()}` : `S-${subject.month}`
  await queries.lockSeries(tx, series)
  await queries.insertDocument(tx, series, subject)
  const issued = await queries.findDocument(tx, subject)
  if (!issued) throw new Error(`no document was issued in ${series}`)
  return issued
}
