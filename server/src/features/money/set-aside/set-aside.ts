import { and, eq, gt, inArray, notExists, type SQL, sql } from 'drizzle-orm'
import { describeError } from '../../../core/describe-error.ts'
import { type Db, isUnavailable, type Tx } from '../../../database/database.ts'
import { nextTryAt } from '../../../database/retry-backoff.ts'
import { payments, setAsidePayments } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'

/*
 * Payments that a sweep or a job could not handle. They are tried again later and listed on the desk, and hold up no
 * others (ADR 32).
 */

type SetAsidePayment = typeof setAsidePayments.$inferSelect
export type SetAsideTask = SetAsidePayment['task']

type Needed = Pick<Services, 'database'> & Partial<Pick<Services, 'log'>>

const REASON_MAX = 500

/** Sets a payment aside, or further aside. */
export async function setAside(
  { database, log }: Needed,
  task: SetAsideTask,
  paymentId: number,
  error: unknown,
): Promise<void> {
  log?.error({ err: error, paymentId, task }, 'a payment failed and was set aside, will retry')
  const reason = reasonOf(error)
  await database.transact(async (tx) => {
    await tx
      .insert(setAsidePayments)
      .values({ paymentId, task, reason, since: tx.now, failedAt: tx.now, tryAt: tx.now })
      .onConflictDoUpdate({
        target: [setAsidePayments.paymentId, setAsidePayments.task],
        set: {
          reason,
          attempts: sql`${setAsidePayments.attempts} + 1`,
          failedAt: tx.now,
          tryAt: nextTryAt(setAsidePayments.since, tx.now, 0),
        },
      })
  })
}

/** The messages of an error and its causes, as the log has them. */
function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let it = describeError(error); it; it = it.cause) messages.push(it.message)
  return messages.join(': ').slice(0, REASON_MAX)
}

/** These payments were handled. */
export async function resumePayments(tx: Tx, task: SetAsideTask, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const { paymentId } = setAsidePayments
  await tx.delete(setAsidePayments).where(and(eq(setAsidePayments.task, task), inArray(paymentId, ids)))
}

/** Which payments a batch may contain. */
export interface Turn {
  /** Only this one. */
  only: number | null
  /** Those that failed in the same sweep. */
  except: number[]
}

/** The condition that it is the turn of a payment, which is not set aside until later. */
export function isTurn(tx: Tx, task: SetAsideTask, { only, except }: Turn): SQL | undefined {
  const { paymentId, tryAt } = setAsidePayments
  const waiting = tx
    .select({ one: sql`1` })
    .from(setAsidePayments)
    .where(and(eq(paymentId, payments.id), eq(setAsidePayments.task, task), gt(tryAt, tx.now)))
  return and(
    only ? eq(payments.id, only) : undefined,
    except.length > 0 ? sql`${payments.id} <> all(${sql.param(except)})` : undefined,
    notExists(waiting),
  )
}

interface Batch<Found> {
  task: SetAsideTask
  find(tx: Tx, turn: Turn): Promise<Found[]>
  apply(tx: Tx, found: Found[]): Promise<void>
}

/** Handles all payments that are due, in batches of this size. */
export async function applyToAll<Found extends { id: number }>(
  services: Needed,
  { size, ...batch }: Batch<Found> & { size: number },
  signal?: AbortSignal,
): Promise<void> {
  const except: number[] = []
  while (!signal?.aborted) {
    const { found, failed } = await applyBatch(services, batch, except)
    if (found.length < size) return
    except.push(...failed)
  }
}

/**
 * Handles a batch of payments in one transaction, which is fastest. If it fails, each payment gets its own, and those
 * that fail are set aside.
 */
export async function applyBatch<Found extends { id: number }>(
  services: Needed,
  { task, find, apply }: Batch<Found>,
  except: number[],
): Promise<{ found: Found[]; failed: number[] }> {
  const { transact } = services.database
  let found: Found[] = []
  const applyTo = async (tx: Tx, due: Found[]) => {
    await apply(tx, due)
    await resumePayments(
      tx,
      task,
      due.map(({ id }) => id),
    )
  }
  try {
    await transact(async (tx) => {
      found = await find(tx, { only: null, except })
      await applyTo(tx, found)
    })
    return { found, failed: [] }
  } catch (error) {
    if (found.length === 0 || isUnavailable(error)) throw error
  }
  const failed: number[] = []
  for (const { id } of found) {
    try {
      await transact(async (tx) => applyTo(tx, await find(tx, { only: id, except })))
    } catch (error) {
      failed.push(id)
      await setAside(services, task, id, error)
    }
  }
  return { found, failed }
}

export const countSetAside = (db: Db) => db.$count(setAsidePayments)

/** Longest first. */
export function findSetAside(db: Db, limit: number): Promise<SetAsidePayment[]> {
  return db.select().from(setAsidePayments).orderBy(setAsidePayments.since).limit(limit)
}
