import type { Tx } from '../../../database/database.ts'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { emailAdmins } from '../../identity/accounts/actions.ts'
import {
  comparePayments,
  type Difference,
  findUnassigned,
  importMovements,
  readFrom,
} from '../ledger/provider-movements.ts'
import { reconciliationEmail } from './emails.ts'
import type { Run } from './queries.ts'
import * as queries from './queries.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** 03:00 UTC, when few people pay. */
const NIGHT_STARTS_MS = 3 * HOUR_MS
/** Later events may not be booked yet, so the next run compares them. */
const GRACE_MS = HOUR_MS

/**
 * Compares the movements of our balance at the provider with the ledger, once a night for all processes (ADR 41).
 * If it is interrupted, the next sweep starts it again.
 */
export async function reconcile(services: Services, signal?: AbortSignal): Promise<void> {
  const { cards, database, clock, log } = services
  if (!cards) return
  const startedAt = clock()
  const day = nightOf(startedAt)
  const last = await queries.findLastRun(database.read)
  if (last && last.day >= day) return
  try {
    const transactions = await importMovements(database.read, cards, await readFrom(database.read))
    const isDone = await compareAll(services, { day, startedAt, last }, signal)
    if (isDone) await database.transact((tx) => finishRun(tx, { day, startedAt, transactions }))
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not read the balance transactions, will retry')
  }
}

const nightOf = (time: Date) => new Date(time.getTime() - NIGHT_STARTS_MS).toISOString().slice(0, 10)

interface Night {
  day: string
  startedAt: Date
  last: Run | undefined
}

/** Returns false if it was aborted. */
async function compareAll(
  { database }: Services,
  { day, startedAt, last }: Night,
  signal?: AbortSignal,
): Promise<boolean> {
  const { read, transact } = database
  const quietSince = new Date(startedAt.getTime() - GRACE_MS)
  // Starts one day earlier than the last run's end, to include entries that were committed late.
  const since = last ? new Date(last.startedAt.getTime() - GRACE_MS - DAY_MS) : null
  for await (const { paymentIds, differences } of comparePayments(read, { since, quietSince })) {
    if (signal?.aborted) return false
    await transact((tx) => savePage(tx, day, paymentIds, differences))
  }
  for await (const unassigned of findUnassigned(read, quietSince)) {
    if (signal?.aborted) return false
    await transact((tx) => queries.upsertDifferences(tx, day, unassigned))
  }
  await transact(queries.deleteAssigned)
  return true
}

async function savePage(tx: Tx, day: string, paymentIds: number[], found: Difference[]): Promise<void> {
  await queries.deleteResolved(
    tx,
    paymentIds,
    found.map(({ key }) => key),
  )
  await queries.upsertDifferences(tx, day, found)
}

async function finishRun(tx: Tx, run: Omit<Run, 'finishedAt' | 'differences'>): Promise<void> {
  const differences = await queries.countDifferences(tx)
  const isFirst = await queries.insertRun(tx, { ...run, differences, finishedAt: tx.now })
  if (isFirst && differences > 0) await emailAdmins(tx, reconciliationEmail)
}
