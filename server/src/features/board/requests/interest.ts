import type { Db } from '../../../database/database.ts'
import { findInterest } from './interest-queries.ts'
import type { ViewCounter } from './view-counter.ts'

interface Interest {
  views: number
  contacts: number
}

/** Numbers that only the owner of a request may see (ADR 65). */
export async function interestIn(
  db: Db,
  counter: ViewCounter,
  ids: number[],
): Promise<Map<number, Interest>> {
  if (ids.length === 0) return new Map()
  const found = await findInterest(db, ids)
  return new Map(
    found.map(({ id, views, contacts }) => [id, { views: views + counter.pendingOf(id), contacts }]),
  )
}
