import { createHash, randomBytes } from 'node:crypto'
import type {} from '@fastify/cookie'
import { and, eq, gt, inArray, isNotNull, isNull, ne, not, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import type { Keys } from '../core/keys.ts'
import { sessionKeyId } from '../core/signed-tokens.ts'
import type { Db, Tx } from '../database/database.ts'
import { prepareOnce } from '../database/prepared.ts'
import { KEPT_DAYS } from '../database/retention.ts'
import { pushSubscriptions, type SessionData, sessions, users } from '../database/schema.ts'
import { deviceName } from './device-name.ts'
import { type Origin, originOf } from './request-origin.ts'

/*
 * Sessions are database rows. The cookie holds only the signed row id. The row is read with its user on every
 * request with a cookie, so that ending a session takes effect immediately in every process (ADR 14). Visitors have
 * no session. A sign-in that waits for its second factor is also stored as a row, but it is not a session yet (ADR
 * 42).
 */

const COOKIE = 'sid'
const DEVICE_COOKIE = 'device'
const DEVICE_ID_BYTES = 16
/**
 * Browsers accept a cookie with this prefix only from our own host, so other hosts of our domain cannot set it.
 */
const HOST_PREFIX = '__Host-'
const DAY_MS = 86_400_000
const LIFETIME_MS = KEPT_DAYS.session * DAY_MS
/** How long a proof of identity is valid. */
const CONFIRMED_MS = 10 * 60_000
/** How long a sign-in waits for its second factor. */
const PENDING_MS = 10 * 60_000
/** An active session is extended at most once a day. */
const RENEW_BELOW_MS = LIFETIME_MS - DAY_MS
/** The time of last use is saved at most this often. */
const SEEN_EVERY_MS = 3_600_000
const USER_AGENT_MAX_LENGTH = 300

/** The signed-in user. Secrets are not loaded, only whether they are set. */
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
  sellingKeywords: users.sellingKeywords,
  sellingCategories: users.sellingCategories,
  rating: users.rating,
  restrictedUntil: users.restrictedUntil,
  suspendedUntil: users.suspendedUntil,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
}

export type User = Awaited<ReturnType<typeof findSession>>[number]['user']

/** The user who sent a request, and its origin. `lastWrite` is a position in PostgreSQL's log (ADR 73). */
export type Actor = User & { readonly origin: Origin; readonly lastWrite: string | null }

/** Whether the sign-in is finished. */
export const isComplete = sql`not ${sessions.sess} ? 'pending'`

const sessionStatement = prepareOnce((db) =>
  db
    .select({
      user: signedInColumns,
      seenAt: sql<string | null>`${sessions.sess} ->> 'seenAt'`,
      lastWrite: sql<string | null>`${sessions.sess} ->> 'lastWrite'`,
      expire: sessions.expire,
    })
    .from(sessions)
    .innerJoin(users, and(eq(users.id, sql`${sessions.sess} ->> 'userId'`), isNull(users.deletedAt)))
    .where(
      and(eq(sessions.sid, sql.placeholder('sid')), gt(sessions.expire, sql.placeholder('now')), isComplete),
    )
    .limit(1)
    .prepare(''),
)

const findSession = (db: Db, sid: string, now: Date) => sessionStatement(db).execute({ sid, now })

export interface Sessions {
  userOf(request: FastifyRequest, reply: FastifyReply): Promise<Actor | null>
  /**
   * Signs in with a new session id, which prevents session fixation. Counts as a proof of identity. Records the
   * device, and notifies the user of a new one.
   */
  begin(tx: Tx, request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
  /** Remembers a sign-in that still needs a second factor. Replaces the current session. */
  beginPending(tx: Tx, request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
  /** The user whose sign-in waits for a second factor in this browser. */
  pendingUserOf(db: Db, request: FastifyRequest): Promise<string | null>
  /** Records a proof of identity in the current session. */
  confirm(tx: Tx, request: FastifyRequest): Promise<void>
  /** Refuses a session without a proof of identity in the last ten minutes. */
  requireConfirmed(request: FastifyRequest): Promise<void>
  /** Replaces the id of the current session and returns the new one. The old id becomes invalid. */
  renew(tx: Db, request: FastifyRequest, reply: FastifyReply): Promise<string>
  end(tx: Tx, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The session id from the cookie; the session may have ended. */
  sidOf(request: FastifyRequest): string | null
  /** The browser of the request. Null if nobody has signed in there. */
  deviceOf(request: FastifyRequest): Device | null
}

export interface SignIn {
  userId: string
  device: Device
  origin: Origin
}

interface Settings {
  /** Sign the cookies. */
  keys: Keys
  secure: boolean
  production: boolean
  onSignIn(tx: Tx, signIn: SignIn): Promise<void>
  onSignOut(tx: Tx, signOut: Pick<SignIn, 'userId' | 'origin'>): Promise<void>
}

/** In production the cookie has the prefix, so browsers accept it only over https. */
export function createSessions(
  db: Db,
  clock: Clock,
  { keys, secure, production, onSignIn, onSignOut }: Settings,
): Sessions {
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  const name = production ? HOST_PREFIX + COOKIE : COOKIE

  const signedBy = () => ({ key: sessionKeyId(keys.writing()) })
  const readCookie = (request: FastifyRequest) => {
    const value = request.cookies[name]
    return value === undefined ? null : request.unsignCookie(value)
  }
  const sidOf = (request: FastifyRequest) => readCookie(request)?.value ?? null

  const deviceCookie = production ? HOST_PREFIX + DEVICE_COOKIE : DEVICE_COOKIE
  const nameOf = (request: FastifyRequest) => deviceName(request.headers['user-agent'] ?? '')

  function deviceIdOf(request: FastifyRequest): string | null {
    const value = request.cookies[deviceCookie]
    return value === undefined ? null : request.unsignCookie(value).value
  }

  /** Visitors get no id. The id does not identify its user, and it stays after they sign out. */
  function recogniseDevice(request: FastifyRequest, reply: FastifyReply): Device {
    const id = deviceIdOf(request) ?? randomBytes(DEVICE_ID_BYTES).toString('base64url')
    setDeviceCookie(reply, id)
    return asDevice(id, nameOf(request))
  }

  function setDeviceCookie(reply: FastifyReply, id: string) {
    reply.setCookie(deviceCookie, id, { ...cookie, maxAge: (KEPT_DAYS.knownDevice * DAY_MS) / 1000 })
  }

  function setSessionCookie(reply: FastifyReply, sid: string) {
    reply.setCookie(name, sid, { ...cookie, maxAge: LIFETIME_MS / 1000 })
  }

  async function replaceSession(
    tx: Db,
    request: FastifyRequest,
    reply: FastifyReply,
    row: { userId: string; at: Date; expire: Date; state: Pick<SessionData, 'confirmedAt' | 'pending'> },
  ) {
    const old = sidOf(request)
    if (old !== null) await tx.delete(sessions).where(eq(sessions.sid, old))
    const sid = newSid()
    const at = row.at.toISOString()
    const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_MAX_LENGTH)
    const sess = {
      userId: row.userId,
      createdAt: at,
      seenAt: at,
      ...signedBy(),
      ...row.state,
      ...(userAgent && { userAgent }),
    }
    await tx.insert(sessions).values({ sid, sess, expire: row.expire })
    setSessionCookie(reply, sid)
  }

  return {
    sidOf,

    deviceOf(request) {
      const id = deviceIdOf(request)
      return id === null ? null : asDevice(id, nameOf(request))
    },

    async userOf(request, reply) {
      const signed = readCookie(request)
      if (!signed?.valid) return null
      const sid = signed.value
      const now = clock()
      const [found] = await findSession(db, sid, now)
      if (!found) return null
      // Signed with a former key: the browser gets new cookies, so that the key can be removed (ADR 105).
      const resign = signed.renew
      const deviceId = resign ? deviceIdOf(request) : null
      if (deviceId !== null) setDeviceCookie(reply, deviceId)
      const extend = resign || found.expire.getTime() - now.getTime() < RENEW_BELOW_MS
      if (extend) setSessionCookie(reply, sid)
      if (extend || isSeenOutdated(found.seenAt, now)) {
        await touchSession(db, sid, now, extend ? signedBy() : null)
      }
      return {
        ...found.user,
        lastWrite: found.lastWrite,
        get origin() {
          return originOf(request)
        },
      }
    },

    async begin(tx, request, reply, userId) {
      const at = clock()
      const state = { confirmedAt: at.toISOString() }
      await replaceSession(tx, request, reply, { userId, at, expire: expiry(at), state })
      await onSignIn(tx, { userId, device: recogniseDevice(request, reply), origin: originOf(request) })
    },

    async beginPending(tx, request, reply, userId) {
      const at = clock()
      const expire = new Date(at.getTime() + PENDING_MS)
      await replaceSession(tx, request, reply, { userId, at, expire, state: { pending: true } })
    },

    async pendingUserOf(db, request) {
      const [found] = await db
        .select({ userId: sql<string>`${sessions.sess} ->> 'userId'` })
        .from(sessions)
        .where(and(eq(sessions.sid, sidOf(request) ?? ''), gt(sessions.expire, clock()), not(isComplete)))
      return found?.userId ?? null
    },

    async confirm(tx, request) {
      const confirmed = JSON.stringify({ confirmedAt: clock().toISOString() })
      const updated = await tx
        .update(sessions)
        .set({ sess: sql`${sessions.sess} || ${confirmed}::jsonb` })
        .where(and(eq(sessions.sid, sidOf(request) ?? ''), isComplete))
        .returning({ sid: sessions.sid })
      // The session was ended from another device in the meantime.
      if (updated.length === 0) throw refuse('signed_out')
    },

    async requireConfirmed(request) {
      const [found] = await db
        .select({ confirmedAt: sql<string | null>`${sessions.sess} ->> 'confirmedAt'` })
        .from(sessions)
        .where(eq(sessions.sid, sidOf(request) ?? ''))
      const confirmedAt = Date.parse(found?.confirmedAt ?? '')
      // Without a proof, the time is NaN.
      if (!(clock().getTime() - confirmedAt < CONFIRMED_MS)) throw refuse('confirm_identity')
    },

    async renew(tx, request, reply) {
      const isOld = eq(sessions.sid, sidOf(request) ?? '')
      const [old] = await tx.select().from(sessions).where(isOld).for('update')
      // The session was ended from another device in the meantime.
      if (!old) throw refuse('signed_out')
      const sid = newSid()
      await tx.insert(sessions).values({ ...old, sid, sess: { ...old.sess, ...signedBy() } })
      // Done before the old session is deleted, because that deletes its subscription.
      await tx.update(pushSubscriptions).set({ sid }).where(eq(pushSubscriptions.sid, old.sid))
      await tx.delete(sessions).where(isOld)
      setSessionCookie(reply, sid)
      return sid
    },

    async end(tx, request, reply) {
      const [ended] = await tx
        .delete(sessions)
        .where(eq(sessions.sid, sidOf(request) ?? ''))
        .returning({
          userId: sql<string>`${sessions.sess} ->> 'userId'`,
          wasSignedIn: sql<boolean>`${isComplete}`,
        })
      if (ended?.wasSignedIn) await onSignOut(tx, { userId: ended.userId, origin: originOf(request) })
      reply.clearCookie(name, cookie)
    },
  }
}

/** A browser is recognised by its id together with its name, so that a copied cookie does not work in another kind of browser. */
export interface Device {
  hash: string
  name: string
}

export function asDevice(id: string, name: string): Device {
  return { hash: createHash('sha256').update(`${id}:${name}`).digest('base64url'), name }
}

const newSid = () => randomBytes(32).toString('base64url')

const isSeenOutdated = (seenAt: string | null, now: Date) =>
  seenAt === null || now.getTime() - Date.parse(seenAt) >= SEEN_EVERY_MS

/** `extended` says which key signed the new cookie. Null without one. */
async function touchSession(db: Db, sid: string, now: Date, extended: { key: string } | null): Promise<void> {
  const seen = JSON.stringify({ seenAt: now.toISOString(), ...extended })
  await db
    .update(sessions)
    .set({ ...(extended && { expire: expiry(now) }), sess: sql`${sessions.sess} || ${seen}::jsonb` })
    .where(eq(sessions.sid, sid))
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + LIFETIME_MS)
}

/** Records that a user has just written something, so that they can read it in all their sessions (ADR 73). */
export async function recordWrite(db: Db, userId: string): Promise<void> {
  const written = sql`jsonb_build_object('lastWrite', pg_current_wal_lsn()::text)`
  await db
    .update(sessions)
    .set({ sess: sql`${sessions.sess} || ${written}` })
    .where(eq(sql`${sessions.sess} ->> 'userId'`, userId))
}

/** Ends all sessions of a user except `keepSid`. */
export async function endSessionsOf(tx: Db, userId: string, keepSid = ''): Promise<void> {
  await tx
    .delete(sessions)
    .where(and(eq(sql`${sessions.sess} ->> 'userId'`, userId), ne(sessions.sid, keepSid)))
}

/** Returns those session ids that exist and have not expired. */
export async function findLiveSessions(db: Db, sids: string[], now: Date): Promise<Set<string>> {
  const live = await db
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(and(inArray(sessions.sid, sids), gt(sessions.expire, now)))
  return new Set(live.map(({ sid }) => sid))
}
