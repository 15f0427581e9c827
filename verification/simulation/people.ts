import { randomBytes, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import type { Keys } from '@sought/server/core/keys'
import { drizzleOn } from '@sought/server/database/database'
import { cookieValueOf, insertPeople as insertUsers } from '@sought/server/market-builder/insert-people'
import type pg from 'pg'
import type { Person } from './market.ts'

const PASSWORD = 'correct horse'
/** Quick to verify, because the cost is part of the hash. */
const quickHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
/** Proofs of identity are valid for longer than the clock is ever moved. */
const PROOF_MS = 1_000 * 86_400_000

export async function insertPeople(
  sql: pg.Pool,
  { sessionKeys, now }: { sessionKeys: Keys; now: Date },
  count: number,
): Promise<Person[]> {
  const password = await quickHash
  const people = Array.from({ length: count }, () => {
    const id = randomUUID()
    const sid = randomBytes(32).toString('base64url')
    return { id, sid, email: `${id}@example.com`, firstName: 'Model', lastName: 'Person', password }
  })
  const confirmedAt = new Date(now.getTime() + PROOF_MS)
  await insertUsers(drizzleOn(sql), people, { now, confirmedAt })
  return people.map(({ id, sid, email }) => ({
    id,
    email,
    cookie: `sid=${cookieValueOf(sid, sessionKeys)}`,
    password: PASSWORD,
    mayBeSignedOut: false,
    isDeleting: false,
  }))
}

/** People shared by all schedules: an admin, and a user who is not part of any deal. */
export interface Staff {
  admin: Person
  stranger: Person
}

export async function insertStaff(sql: pg.Pool, sessions: { sessionKeys: Keys; now: Date }): Promise<Staff> {
  const [admin, stranger] = await insertPeople(sql, sessions, 2)
  if (!admin || !stranger) throw new Error('no people were inserted')
  await sql.query('insert into admins (user_id) values ($1)', [admin.id])
  return { admin, stranger }
}
