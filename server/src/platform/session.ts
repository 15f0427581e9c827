import { randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import { and, eq, gt, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'
import { refuse } from './errors.ts'
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
/** When it was last in use is noted at most this often. */
const SEEN_EVERY_MS = 3_600_000
const USER_AGENT_MAX_LENGTH = 300

/** The person behind a request. What must never leave the server is not even loaded, only whether it is there. */
export const signedInColumns = {
  id: users.id,
  email: users.email,
  emailVerified: isNotNull(users.emailVerifiedAt).mapWith(Boolean),
  pendingEmail: users.pendingEmail,
  hasPassword: isNotNull(users.password).mapWith(Boolean),
  googleLinked: isNotNull(users.providerId).mapWith(Boolean),
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
    .select({
      user: signedInColumns,
      seenAt: sql<string | null>`${sessions.sess} ->> 'seenAt'`,
      expire: sessions.expire,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sql`${sessions.sess} ->> 'userId'`), isNull(users.deletedAt)))
    .where(and(eq(sessions.sid, sid), gt(sessions.expire, now)))
    .limit(1)
}

export interface Sessions {
  /** Who sends this request, or null. */
  userOf(request: FastifyRequest, reply: FastifyReply): Promise<User | null>
  /** Signs in: a new id every time, so that an id known before is worth nothing after. */
  begin(tx: Db, request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
  /** Gives the session that a request brings another id, and answers it: whoever knew the old one knows nothing. */
  renew(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<string>
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
      const lastsOn = found.expire.getTime() - now.getTime() < RENEW_BELOW_MS
      if (lastsOn) handOut(reply, sid)
      if (lastsOn || isNews(found.seenAt, now)) {
        await touchSession(db, sid, now, lastsOn)
      }
      return found.user
    },

    async begin(tx, request, reply, userId) {
      const now = clock()
      const old = sidOf(request)
      if (old !== null) await tx.delete(sessions).where(eq(sessions.sid, old))
      const sid = newSid()
      const at = now.toISOString()
      const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH)
      const sess = { userId, createdAt: at, seenAt: at, ...(userAgent && { userAgent }) }
      await tx.insert(sessions).values({ sid, sess, expire: expiry(now) })
      handOut(reply, sid)
    },

    async renew(tx, request, reply) {
      const [old] = await tx
        .delete(sessions)
        .where(eq(sessions.sid, sidOf(request) ?? ''))
        .returning()
      // Ended a moment ago, from another device.
      if (!old) throw refuse('signed_out')
      const sid = newSid()
      await tx.insert(sessions).values({ ...old, sid })
      handOut(reply, sid)
      return sid
    },

    async end(tx, request, reply) {
      const sid = sidOf(request)
      if (sid !== null) await tx.delete(sessions).where(eq(sessions.sid, sid))
      reply.clearCookie(COOKIE, cookie)
    },
  }
}

const newSid = () => randomBytes(32).toString('base64url')

const isNews = (seenAt: string | null, now: Date) =>
  seenAt === null || now.getTime() - Date.parse(seenAt) >= SEEN_EVERY_MS

async function touchSession(db: Db, sid: string, now: Date, lastsOn: boolean): Promise<void> {
  const seen = JSON.stringify({ seenAt: now.toISOString() })
  await db
    .update(sessions)
    .set({ ...(lastsOn && { expire: expiry(now) }), sess: sql`${sessions.sess} || ${seen}::jsonb` })
    .where(eq(sessions.sid, sid))
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
