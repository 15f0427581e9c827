import { randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'
import { sessions, users } from './schema.ts'

/*
 * Sessions are rows; the cookie holds only the row's id, signed. A row is read on every request that
 * brings a cookie, together with its user, so that ending it takes effect at once on every process
 * (ADR 14). Nothing is written for visitors.
 */

const COOKIE = 'sid'
const LIFETIME_DAYS = 30
const DAY_MS = 86_400_000
const LIFETIME_MS = LIFETIME_DAYS * DAY_MS
/** A session in use is made to last again at most once a day, not on every request. */
const RENEW_BELOW_MS = LIFETIME_MS - DAY_MS

/** The person behind a request. What must never leave the server is not even loaded. */
const signedInColumns = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  profileImageUrl: users.profileImageUrl,
  provider: users.provider,
  bio: users.bio,
  location: users.location,
  phone: users.phone,
  rating: users.rating,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
}

export type User = Awaited<ReturnType<typeof findSession>>[number]['user']

function findSession(db: Db, sid: string, now: Date) {
  return db
    .select({ user: signedInColumns, expire: sessions.expire })
    .from(sessions)
    .innerJoin(users, eq(users.id, sql`${sessions.sess} ->> 'userId'`))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, now)))
    .limit(1)
}

export interface Sessions {
  /** Who sends this request, or null. */
  userOf(request: FastifyRequest, reply: FastifyReply): Promise<User | null>
  /** Signs in: a new id every time, so that an id known before is worth nothing after. */
  begin(tx: Db, request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
  end(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The session that a request brings, whether or not it is still one. */
  sidOf(request: FastifyRequest): string | null
}

export function createSessions(db: Db, clock: Clock, secure: boolean): Sessions {
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure, signed: true } as const

  function sidOf(request: FastifyRequest): string | null {
    const value = request.cookies[COOKIE]
    return value === undefined ? null : request.unsignCookie(value).value
  }

  function handOut(reply: FastifyReply, sid: string) {
    reply.setCookie(COOKIE, sid, { ...cookie, maxAge: LIFETIME_MS / 1000 })
  }

  return {
    sidOf,

    async userOf(request, reply) {
      const sid = sidOf(request)
      if (sid === null) return null
      const now = clock()
      const [found] = await findSession(db, sid, now)
      if (!found) return null
      if (found.expire.getTime() - now.getTime() < RENEW_BELOW_MS) {
        await db
          .update(sessions)
          .set({ expire: expiry(now) })
          .where(eq(sessions.sid, sid))
        handOut(reply, sid)
      }
      return found.user
    },

    async begin(tx, request, reply, userId) {
      const now = clock()
      const old = sidOf(request)
      if (old !== null) await tx.delete(sessions).where(eq(sessions.sid, old))
      const sid = randomBytes(32).toString('base64url')
      const sess = { userId, createdAt: now.toISOString() }
      await tx.insert(sessions).values({ sid, sess, expire: expiry(now) })
      handOut(reply, sid)
    },

    async end(tx, request, reply) {
      const sid = sidOf(request)
      if (sid !== null) await tx.delete(sessions).where(eq(sessions.sid, sid))
      reply.clearCookie(COOKIE, cookie)
    },
  }
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS)
}

/** Ends every session of a person, but for the one that is kept, if any. */
export async function endSessionsOf(tx: Db, userId: string, keepSid = ''): Promise<void> {
  await tx
    .delete(sessions)
    .where(and(eq(sql`${sessions.sess} ->> 'userId'`, userId), ne(sessions.sid, keepSid)))
}

export async function purgeSessions(db: Db, now: Date): Promise<void> {
  await db.delete(sessions).where(sql`${sessions.expire} <= ${now}`)
}

/** Those of the session ids that are still good. */
export async function liveSessions(db: Db, sids: string[], now: Date): Promise<Set<string>> {
  const live = await db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(inArray(sessions.sid, sids), gt(sessions.expire, now)))
  return new Set(live.map(({ sid }) => sid))
}
