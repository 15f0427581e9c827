import { randomUUID, scrypt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { BadConfig } from '../core/config.ts'
import type { Keys } from '../core/keys.ts'
import type { Secrets } from '../core/secrets.ts'

/*
 * Which keys this database is used with (ADR 105). A process without the key that writes does not start. A new first
 * key writes once every running process has it as its first key, so that none meets a text that it cannot read.
 */

const HEARTBEAT_MS = 2_000
/** A process that was killed counts as running until then. */
const TIMEOUT_SECONDS = 15
/** What other processes still write with the former key is stored by then: their heartbeat and a transaction. */
const SETTLED_SECONDS = 20
/** An arbitrary number that all processes share. */
const LOCK = 7_206_835
const CHECK_BYTES = 24

export interface KeyUse {
  /** Throws BadConfig if the key that writes is not in the list. Then follows changes of it. */
  start(): Promise<void>
  stop(): Promise<void>
}

interface Checked {
  name: string
  keys: Keys
  /** By the keys of the list. */
  checks: string[]
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/** Slow on purpose, because the database has it: whoever copies it must not be able to guess a key that is a phrase. */
const checkOf = async (name: string, key: string) =>
  (await derive(key, `sought/key-check/v1/${name}`, CHECK_BYTES)).toString('base64url')

function checkAll({ sessionKeys, dataKeys }: Secrets): Promise<Checked[]> {
  const lists = { SESSION_SECRET: sessionKeys, DATA_KEY: dataKeys }
  return Promise.all(
    Object.entries(lists).map(async ([name, keys]) => {
      const checks = await Promise.all(keys.all.map((key) => checkOf(name, key)))
      return { name, keys, checks }
    }),
  )
}

const firstOf = ({ checks: [first = ''] }: Checked) => first

export function createKeyUse(
  pool: pg.Pool,
  secrets: Secrets,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
): KeyUse {
  const id = randomUUID()
  let timer: NodeJS.Timeout | undefined

  async function beat(lists: Checked[]): Promise<void> {
    await withLock(pool, async (client) => {
      await record(client, id, lists)
      await followKeys(client, lists)
    })
  }

  return {
    async start() {
      const lists = await checkAll(secrets)
      await beat(lists)
      timer = setInterval(() => {
        beat(lists).catch((error: unknown) => {
          if (error instanceof BadConfig) log.error(error.message)
          else log.warn({ err: error }, 'could not record that this process runs')
        })
      }, HEARTBEAT_MS).unref()
    },
    async stop() {
      if (!timer) return
      clearInterval(timer)
      await pool.query('delete from running_processes where id = $1', [id]).catch(() => {})
    },
  }
}

/** Otherwise a process could start while another one decides that all have the new key. */
async function withLock(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  let isLost = true
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    try {
      await work(client)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      isLost = false
      throw error
    }
    isLost = false
  } finally {
    client.release(isLost)
  }
}

async function record(client: pg.PoolClient, id: string, lists: Checked[]): Promise<void> {
  await client.query(
    `insert into running_processes (id, key_checks, seen_at) values ($1, $2, now())
     on conflict (id) do update set seen_at = excluded.seen_at`,
    [id, lists.map(firstOf)],
  )
  await client.query("delete from running_processes where seen_at < now() - interval '1 day'")
}

/** Writes with the keys in use, and puts the first keys into use if all processes have them. */
async function followKeys(client: pg.PoolClient, lists: Checked[]): Promise<void> {
  for (const list of lists) {
    const used = await findUsed(client, list)
    requireKey(list, used)
    const writing = (await useFirst(client, list)) ? firstOf(list) : used
    list.keys.writeWith(list.keys.all[list.checks.indexOf(writing)] ?? '')
  }
}

/** The first start stores the check. */
async function findUsed(client: pg.PoolClient, { name, checks: [first] }: Checked): Promise<string> {
  const { rows } = await client.query<{ key_check: string }>(
    'select key_check from key_checks where name = $1',
    [name],
  )
  if (rows[0]) return rows[0].key_check
  await client.query('insert into key_checks (name, key_check) values ($1, $2)', [name, first])
  return first ?? ''
}

function requireKey({ name, checks }: Checked, used: string): void {
  if (checks.includes(used)) return
  throw new BadConfig(
    `${name}: this database is used with another key. Set ${name} to that key, or put that key after the new one, separated by a comma`,
  )
}

async function useFirst(client: pg.PoolClient, list: Checked): Promise<boolean> {
  const { rowCount } = await client.query(
    `update key_checks set key_check = $2, since = now()
     where name = $1 and key_check <> $2 and not exists (${WITHOUT_KEY})`,
    [list.name, firstOf(list), TIMEOUT_SECONDS],
  )
  return rowCount === 1
}

const WITHOUT_KEY = `
  select from running_processes
  where seen_at > now() - $3 * interval '1 second' and not key_checks @> array[$2]`

/** Thrown if running processes have other first keys. */
export class KeysNotInUse extends Error {}

const WAIT_ATTEMPTS = 20

/**
 * For `npm run rotate-keys`: puts the first keys into use, and waits until no process writes with another one. A process
 * that has just been killed still counts as running for a moment.
 */
export async function useFirstKeys(pool: pg.Pool, secrets: Secrets): Promise<void> {
  const lists = await checkAll(secrets)
  for (let attempt = 1; ; attempt++) {
    await withLock(pool, (client) => followKeys(client, lists))
    const waiting = lists.filter(({ keys }) => keys.writing() !== keys.all[0])
    if (waiting.length === 0) break
    if (attempt === WAIT_ATTEMPTS)
      throw new KeysNotInUse(
        `Running processes have another first ${waiting.map(({ name }) => name).join(' and ')}. Restart all of them with the new list, then run this again.`,
      )
    await wait(1_000)
  }
  await waitUntilSettled(pool)
}

async function waitUntilSettled(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ ms: number }>(
    `select greatest(0, 1000 * extract(epoch from $1 * interval '1 second' - (now() - max(since))))::float8 as ms
     from key_checks where exists (select from running_processes where seen_at > now() - $2 * interval '1 second')`,
    [SETTLED_SECONDS, TIMEOUT_SECONDS],
  )
  await wait(rows[0]?.ms ?? 0)
}

/** For `npm run doctor`: what is wrong with each list. Null for a list that has the key in use. */
export async function checkKeys(pool: pg.Pool, secrets: Secrets) {
  const { rows } = await pool.query<{ name: string; key_check: string }>('select * from key_checks')
  return (await checkAll(secrets)).map(({ name, keys, checks }) => {
    const used = rows.find((row) => row.name === name)?.key_check
    const place = used === undefined ? 0 : checks.indexOf(used)
    return { name, count: keys.all.length, state: place < 0 ? 'unknown' : place > 0 ? 'not first' : 'in use' }
  })
}
