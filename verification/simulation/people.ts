import { randomBytes, randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import type { Person } from './market.ts'

/*
 * Users with a session, inserted directly. Signing up is tested elsewhere, and its slow hash would take most of the
 * time of a simulation with thousands of users.
 */

const PASSWORD = 'correct horse'
/** Quick to verify, because the cost is part of the hash. */
const quickHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
/** Longer than the clock is ever moved. */
const SESSION_DAYS = 1_000

export async function insertPeople(
  sql: pg.Pool,
  { sessionSecret, now }: { sessionSecret: string; now: Date },
  count: number,
): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({
    id: randomUUID(),
    sid: randomBytes(32).toString('base64url'),
  }))
  await sql.query(
    `insert into users (id, email, first_name, last_name, password, created_at, updated_at)
     select id, id || '@example.com', 'Model', 'Person', $2, $3, $3 from unnest($1::text[]) id`,
    [people.map(({ id }) => id), await quickHash, now],
  )
  await sql.query(
    `insert into sessions (sid, sess, expire)
     select sid, json_build_object('userId', id, 'createdAt', $3::text, 'seenAt', $3::text, 'confirmedAt', $4::timestamptz), $4
     from unnest($1::text[], $2::text[]) as made (sid, id)`,
    [
      people.map(({ sid }) => sid),
      people.map(({ id }) => id),
      now.toISOString(),
      new Date(now.getTime() + SESSION_DAYS * 86_400_000),
    ],
  )
  return people.map(({ id, sid }) => ({
    id,
    email: `${id}@example.com`,
    cookie: `sid=${encodeURIComponent(fastifyCookie.sign(sid, sessionSecret))}`,
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

export async function insertStaff(
  sql: pg.Pool,
  sessions: { sessionSecret: string; now: Date },
): Promise<Staff> {
  const [admin, stranger] = await insertPeople(sql, sessions, 2)
  if (!admin || !stranger) throw new Error('no people were inserted')
  await sql.query('insert into admins (user_id) values ($1)', [admin.id])
  return { admin, stranger }
}
