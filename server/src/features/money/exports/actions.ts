import { type BodyOf, fillPath, type QueryOf } from '@sought/contract/call'
import { type createExport, downloadExport, type listExports } from '@sought/contract/exports'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { PrivateFile } from '../../../http/serve-files.ts'
import type { Actor } from '../../../http/session.ts'
import { enqueue } from '../../../runtime/jobs.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import * as queries from './queries.ts'

type Row = Awaited<ReturnType<typeof queries.findExports>>[number]

function present({ job, admin }: Row) {
  const url = job.fileId === null ? null : fillPath(downloadExport.path, { id: job.id })
  return { ...job, url, requestedBy: asPublicUser(admin) }
}

export async function readExports(db: Db, { limit, cursor }: QueryOf<typeof listExports>) {
  return (await queries.findExports(db, { limit, ...(cursor && { cursor }) })).map(present)
}

export async function readExport(db: Db, id: number) {
  const [found] = await queries.findExports(db, { id, limit: 1 })
  if (!found) throw refuse('export_not_found')
  return present(found)
}

export async function startExport(tx: Tx, { kind, year }: BodyOf<typeof createExport>, admin: Actor) {
  const id = await queries.insertExport(tx, { kind, year, requestedBy: admin.id })
  await enqueueExport(tx, id)
  await recordAudit(tx, {
    action: 'export_created',
    ...by(admin),
    subjectId: null,
    details: { exportId: id },
  })
  return readExport(tx, id)
}

export async function restartExport(tx: Tx, id: number, admin: Actor) {
  const again = { status: 'running', progress: 0, endedAt: null } as const
  if (!(await queries.updateExport(tx, id, 'failed', again))) {
    await readExport(tx, id)
    throw refuse('export_not_failed')
  }
  await enqueueExport(tx, id)
  await recordAudit(tx, {
    action: 'export_retried',
    ...by(admin),
    subjectId: null,
    details: { exportId: id },
  })
  return readExport(tx, id)
}

const enqueueExport = (tx: Tx, id: number) =>
  enqueue(tx, 'make-export', { exportId: id }, `make-export:${id}`)

/** Records the download in the audit log, because the file names many people. */
export async function openExport(tx: Tx, id: number, admin: Actor): Promise<PrivateFile> {
  const job = await queries.findExportJob(tx, id)
  if (!job) throw refuse('export_not_found')
  if (job.fileId === null) throw refuse('export_not_ready')
  await recordAudit(tx, {
    action: 'export_downloaded',
    ...by(admin),
    subjectId: null,
    details: { exportId: id },
  })
  return { fileId: job.fileId, name: `${job.kind}-${job.year}.csv`, mimeType: 'text/csv; charset=utf-8' }
}
