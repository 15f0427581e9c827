import { createHash } from 'node:crypto'
import { type Database, firstRow, type Tx } from '../database.ts'
import { ApiError, invalidRequest } from './api-error.ts'

/** A response as sent. The body is stored as text so that a replay is identical. */
export interface StoredReply {
  status: number
  body: string
  replayed?: boolean
}

export interface KeyedCall {
  key: string | null
  fingerprint: string
}

const KEY_HOURS = 24
const MAX_KEY_LENGTH = 255

/**
 * Runs a call once for each key. Its changes, its response and its key are committed together before the
 * response is sent, so a crash leaves all of them or none.
 */
export async function runOnce(
  database: Database,
  { key, fingerprint }: KeyedCall,
  work: (tx: Tx) => Promise<StoredReply>,
): Promise<StoredReply> {
  if (key === null) return database.transact(work)
  if (key.length > MAX_KEY_LENGTH) {
    throw invalidRequest(`Idempotency keys may only be up to ${MAX_KEY_LENGTH} characters.`)
  }
  return database.transact(async (tx) => {
    if (!(await tryLock(tx, key))) throw keyInUse(key)
    const kept = await findAnswer(tx, key)
    if (kept && kept.fingerprint !== fingerprint) throw keyMismatch(key)
    if (kept) return { status: kept.status, body: kept.body, replayed: true }
    const answer = await runInSavepoint(tx, work)
    await storeReply(tx, key, fingerprint, answer)
    return answer
  })
}

/** Turns a replayable error into a response, after rolling back the changes of the call. */
async function runInSavepoint(tx: Tx, work: (tx: Tx) => Promise<StoredReply>): Promise<StoredReply> {
  await tx.query('savepoint work')
  try {
    return await work(tx)
  } catch (error) {
    if (!(error instanceof ApiError && error.isReplayable)) throw error
    await tx.query('rollback to savepoint work')
    return { status: error.status, body: JSON.stringify({ error: error.body }) }
  }
}

/** False if another call with the same key is in progress. */
async function tryLock(tx: Tx, key: string): Promise<boolean> {
  const row = firstRow(
    await tx.query<{ locked: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('sandbox idempotency ' || $1, 0)) as locked`,
      [key],
    ),
  )
  return row?.locked ?? false
}

async function findAnswer(tx: Tx, key: string) {
  return firstRow(
    await tx.query<{ fingerprint: string; status: number; body: string }>(
      `select fingerprint, status, body from sandbox.idempotency_keys where key = $1 and created_at > $2`,
      [key, hoursBefore(tx.now, KEY_HOURS)],
    ),
  )
}

async function storeReply(tx: Tx, key: string, fingerprint: string, answer: StoredReply): Promise<void> {
  await tx.query(
    `insert into sandbox.idempotency_keys (key, fingerprint, status, body, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (key) do update set
       fingerprint = excluded.fingerprint, status = excluded.status,
       body = excluded.body, created_at = excluded.created_at`,
    [key, fingerprint, answer.status, answer.body, tx.now],
  )
}

export async function deleteExpiredKeys(tx: Tx): Promise<void> {
  await tx.query('delete from sandbox.idempotency_keys where created_at <= $1', [
    hoursBefore(tx.now, KEY_HOURS),
  ])
}

const hoursBefore = (now: Date, hours: number) => new Date(now.getTime() - hours * 3_600_000)

/** Identifies a call by method, path and parameters, in any order. */
export function fingerprintOf(method: string, path: string, form: object): string {
  return createHash('sha256')
    .update(`${method} ${path} ${canonical(form)}`)
    .digest('hex')
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
}

function keyInUse(key: string): ApiError {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  return new ApiError(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message })
}

function keyMismatch(key: string): ApiError {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
  return new ApiError(400, { type: 'idempotency_error', message })
}
