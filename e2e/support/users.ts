import { randomUUID } from 'node:crypto'
import { createKeys } from '@sought/server/core/keys'
import type { Database } from '@sought/server/database/database'
import { hashPassword } from '@sought/server/features/identity/accounts/passwords'
import {
  cookieValueOf,
  insertPeople,
  insertSessions,
  type NewPerson,
} from '@sought/server/market-builder/insert-people'

export interface User {
  firstName: string
  email: string
  password: string
}

/** The users of the demo market. */
export const demoUsers = {
  admin: { firstName: 'Admin', email: 'admin@demo.sought.example', password: 'demo-admin' },
  moderator: {
    firstName: 'Moderator',
    email: 'moderator@demo.sought.example',
    password: 'demo-moderator',
  },
  buyer: { firstName: 'Buyer', email: 'buyer@demo.sought.example', password: 'demo-buyer' },
} satisfies Record<string, User>

const PASSWORD = 'correct horse'
/** Hashed once per worker: argon2 is slow on purpose. */
let hashedPassword: Promise<string> | undefined

/** Creates an account directly in the database, without the verification email that a sign-up sends. */
export async function insertTestUser(
  { read }: Database,
  firstName: string,
  role?: NewPerson['role'],
): Promise<User> {
  hashedPassword ??= hashPassword(PASSWORD)
  const [id, email] = [randomUUID(), `${randomUUID()}@example.com`]
  const user = { id, email, password: await hashedPassword, firstName, lastName: 'Tester', role }
  await insertPeople(read, [user], { now: new Date() })
  return { firstName, email, password: PASSWORD }
}

/** The list of signed-in devices names each session after its browser. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Creates a session directly in the database, and returns the value of its cookie. */
export async function insertSession({ pool, read }: Database, user: User, secret: string): Promise<string> {
  const { rows } = await pool.query('select id from users where lower(email) = lower($1)', [user.email])
  const sid = randomUUID()
  await insertSessions(read, [{ id: rows[0].id, sid }], { now: new Date(), userAgent: USER_AGENT })
  return cookieValueOf(sid, createKeys([secret]))
}
