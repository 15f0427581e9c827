import { fastifyCookie } from '@fastify/cookie'
import type { StaffRole } from '@sought/contract/call'
import type { Keys } from '../core/keys.ts'
import type { Db } from '../database/database.ts'
import { admins, type SessionData, sessions, users } from '../database/schema.ts'

type User = typeof users.$inferInsert

export interface NewPerson extends Omit<User, 'createdAt' | 'updatedAt'> {
  role?: StaffRole | undefined
  /** The id of their session. Without it, they are signed out. */
  sid?: string | undefined
}

interface Proof {
  now: Date
  /** When they last proved their identity. */
  confirmedAt?: Date
  /** When their session ends. Unless given, it outlives the proof by a month. */
  expire?: Date
  userAgent?: string
}

export const SESSION_MS = 30 * 86_400_000

/** Inserts people and their sessions, because signing up hashes a password, which is slow on purpose. */
export async function insertPeople(
  db: Db,
  people: NewPerson[],
  { joined, ...proof }: Proof & { joined?: Date },
): Promise<void> {
  const at = joined ?? proof.now
  await db
    .insert(users)
    .values(people.map(({ role: _, sid: __, ...user }) => ({ createdAt: at, updatedAt: at, ...user })))
  await insertSessions(db, people, proof)
  const staff = people.flatMap(({ id, role }) => (role ? [{ userId: id, role }] : []))
  if (staff.length > 0) await db.insert(admins).values(staff)
}

export async function insertSessions(
  db: Db,
  people: Pick<NewPerson, 'id' | 'sid'>[],
  {
    now,
    confirmedAt = now,
    expire = new Date(Math.max(now.getTime(), confirmedAt.getTime()) + SESSION_MS),
    userAgent,
  }: Proof,
): Promise<void> {
  const at = now.toISOString()
  const times = { createdAt: at, seenAt: at, confirmedAt: confirmedAt.toISOString() }
  const opened = people.flatMap(({ id, sid }) => {
    const sess: SessionData = { userId: id, ...times, ...(userAgent && { userAgent }) }
    return sid ? [{ sid, sess, expire }] : []
  })
  if (opened.length > 0) await db.insert(sessions).values(opened)
}

/** The value of a session's cookie. */
export const cookieValueOf = (sid: string, sessionKeys: Keys) =>
  encodeURIComponent(fastifyCookie.sign(sid, sessionKeys.writing()))
