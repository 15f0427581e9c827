import type { Db } from '../../platform/database.ts'
import { findKept } from './mail-queries.ts'

export async function keptMails(db: Db) {
  const kept = await findKept(db)
  return kept.map(({ id, kind, address, subject, text, html, createdAt }) => ({
    id,
    kind,
    address,
    subject: subject ?? '',
    text: text ?? '',
    html: html ?? '',
    createdAt,
  }))
}
