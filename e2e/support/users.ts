import { createHmac, randomUUID } from 'node:crypto'
import type { Database } from '@sought/server/database/database'
import { sessions } from '@sought/server/database/schema'
import { hashPassword } from '@sought/server/features/identity/accounts/passwords'
import { insertUser } from '@sought/server/features/identity/accounts/queries'

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
export async function insertTestUser(database: Database, firstName: string): Promise<User> {
  hashedPassword ??= hashPassword(PASSWORD)
  const password = await hashedPassword
  const email = `${randomUUID()}@example.com`
  await database.transact((tx) =>
    insertUser(tx, { id: randomUUID(), email, password, firstName, lastName: 'Tester' }),
  )
  return { firstName, email, password: PASSWORD }
}

export async function insertTestAdmin(database: Database, firstName: string): Promise<User> {
  const admin = await insertTestUser(database, firstName)
  await database.pool.query('insert into admins (user_id) select id from users where email = $1', [
    admin.email,
  ])
  return admin
}

const SESSION_MS = 30 * 86_400_000
/** The list of signed-in devices names each session after its browser. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

/** Creates a session directly in the database, and returns the value of its cookie. */
export async function insertSession(database: Database, user: User, secret: string): Promise<string> {
  const sid = randomUUID()
  const now = new Date()
  const found = await database.pool.query('select id from users where lower(email) = lower($1)', [user.email])
  const at = now.toISOString()
  await database.read.insert(sessions).values({
    sid,
    sess: { userId: found.rows[0].id, createdAt: at, seenAt: at, confirmedAt: at, userAgent: USER_AGENT },
    expire: new Date(now.getTime() + SESSION_MS),
  })
  // Signed like by @fastify/cookie.
  const signature = createHmac('sha256', secret).update(sid).digest('base64').replace(/=+$/, '')
  return encodeURIComponent(`${sid}.${signature}`)
}
