import { randomBytes, randomUUID } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import type { Somebody } from './market.ts'

/*
 * People who are there from the beginning, signed in. They are written down directly: signing up is shown by other
 * tests, and its slow hash, once for each of many thousands, would be most of what the model does.
 */

const PASSWORD = 'correct horse'
/** Quick to check, since how slow that is stands in the hash itself. */
const quickHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
/** Longer than any clock is turned here. */
const SESSION_DAYS = 1_000

export async function enlist(
  sql: pg.Pool,
  { sessionSecret, now }: { sessionSecret: string; now: Date },
  howMany: number,
): Promise<Somebody[]> {
  const people = Array.from({ length: howMany }, () => ({
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
     select sid, json_build_object('userId', id, 'createdAt', $3::text, 'seenAt', $3::text), $4
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
    mayBeOut: false,
    leaving: false,
  }))
}

/** Those whom every schedule has use for: somebody who decides, and somebody who has no part in it. */
export interface Crew {
  admin: Somebody
  stranger: Somebody
}

export async function hire(sql: pg.Pool, made: { sessionSecret: string; now: Date }): Promise<Crew> {
  const [admin, stranger] = await enlist(sql, made, 2)
  if (!admin || !stranger) throw new Error('nobody was written down')
  await sql.query('insert into admins (user_id) values ($1)', [admin.id])
  return { admin, stranger }
}
