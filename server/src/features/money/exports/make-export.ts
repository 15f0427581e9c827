import { createEncryption } from '../../../core/encryption.ts'
import { isUnavailable, type Tx } from '../../../database/database.ts'
import { asCsv, type CsvRow } from '../../../files/csv.ts'
import { insertFile, type StoredFile, storeStream } from '../../../files/stored-files.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import type { Batches } from './batches.ts'
import { FEE_COLUMNS, readFees } from './fee-rows.ts'
import { exportReady } from './notifications.ts'
import { PAYMENT_COLUMNS, readPayments } from './payment-rows.ts'
import { PAYOUT_COLUMNS, readPayouts } from './payout-rows.ts'
import type { ExportJob } from './queries.ts'
import * as queries from './queries.ts'
import { periodOf } from './year.ts'

/** How much is read from the database at a time. */
interface BatchSizes {
  rows: number
  sellers: number
}

const BATCH: BatchSizes = { rows: 1_000, sellers: 200 }

/** Another process has finished the export first. */
class AlreadyMade extends Error {}

/**
 * Creates the file of an export. If the process dies, another one starts again. The process that finishes
 * first saves its file and notifies the admin.
 */
export async function makeExport(
  services: Services,
  exportId: number,
  signal?: AbortSignal,
  batch: BatchSizes = BATCH,
): Promise<void> {
  const { database, files, log } = services
  const job = await queries.findExportJob(database.read, exportId)
  if (job?.status !== 'running') return
  try {
    const { columns, batches } = open(services, job, batch)
    const content = asCsv(columns, followProgress(services, job, batches, signal))
    await storeStream(files, { content, extension: 'csv', mimeType: 'text/csv' }, (stored) =>
      database.transact((tx) => finish(tx, job, stored)),
    )
  } catch (error) {
    if (error instanceof AlreadyMade) return
    // If the process stops or the database is unavailable, the job is retried.
    if (signal?.aborted || isUnavailable(error)) throw error
    log.error({ err: error, exportId }, 'an export failed')
    await database.transact((tx) =>
      queries.updateExport(tx, exportId, 'running', { status: 'failed', endedAt: tx.now }),
    )
  }
}

function open({ database, secrets }: Services, { kind, year }: ExportJob, batch: BatchSizes) {
  const { read } = database
  const period = periodOf(year)
  switch (kind) {
    case 'payments':
      return { columns: PAYMENT_COLUMNS, batches: readPayments(read, period, batch.rows) }
    case 'fees':
      return { columns: FEE_COLUMNS, batches: readFees(read, period, batch.rows) }
    case 'payouts':
      return {
        columns: PAYOUT_COLUMNS,
        batches: readPayouts(read, createEncryption(secrets.dataKeys), period, batch.sellers),
      }
  }
}

async function* followProgress(
  { database }: Services,
  { id }: ExportJob,
  batches: Batches,
  signal?: AbortSignal,
): AsyncGenerator<CsvRow> {
  for await (const { rows, done } of batches) {
    signal?.throwIfAborted()
    yield* rows
    const progress = Math.min(99, Math.floor(100 * done))
    await database.transact((tx) => queries.updateExport(tx, id, 'running', { progress }))
  }
}

async function finish(tx: Tx, { id, requestedBy }: ExportJob, stored: StoredFile): Promise<void> {
  await insertFile(tx, { ...stored, kind: 'export', ownerId: requestedBy })
  const done = { status: 'done', progress: 100, fileId: stored.id, endedAt: tx.now } as const
  if (!(await queries.updateExport(tx, id, 'running', done))) throw new AlreadyMade()
  await notify(tx, exportReady(requestedBy, id))
}
