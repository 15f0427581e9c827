import { and, desc, eq, lt } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { exportJobs, users } from '../../../database/schema.ts'

export type ExportJob = typeof exportJobs.$inferSelect

export async function insertExport(
  tx: Tx,
  job: Pick<ExportJob, 'kind' | 'year' | 'requestedBy'>,
): Promise<number> {
  const [inserted] = await tx
    .insert(exportJobs)
    .values({ ...job, createdAt: tx.now })
    .returning({ id: exportJobs.id })
  if (!inserted) throw new Error('no export was inserted')
  return inserted.id
}

export async function findExportJob(db: Db, id: number): Promise<ExportJob | undefined> {
  return findRow(db, exportJobs, { id })
}

/** Updates an export if it still has this status. Returns whether it had. */
export async function updateExport(
  tx: Tx,
  id: number,
  from: ExportJob['status'],
  change: Partial<ExportJob>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(exportJobs)
    .set(change)
    .where(and(eq(exportJobs.id, id), eq(exportJobs.status, from)))
  return rowCount === 1
}

export function findExports(db: Db, { id, cursor, limit }: { id?: number; cursor?: number; limit: number }) {
  return db
    .select({ job: exportJobs, admin: users })
    .from(exportJobs)
    .innerJoin(users, eq(users.id, exportJobs.requestedBy))
    .where(and(id ? eq(exportJobs.id, id) : undefined, cursor ? lt(exportJobs.id, cursor) : undefined))
    .orderBy(desc(exportJobs.id))
    .limit(limit)
}
