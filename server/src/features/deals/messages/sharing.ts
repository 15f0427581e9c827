import type { BodyOf } from '@sought/contract/call'
import type { announceTyping as announceTypingCall, SharingSettings } from '@sought/contract/messages'
import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, updateRows } from '../../../database/rows.ts'
import { messages, offers, presence, users } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'
import { areBlocked } from '../../users/blocks.ts'

/*
 * Typing, presence and read receipts are shown only between people with a common conversation who both share
 * them (ADR 53), and not if one has blocked the other. For everyone else, the calls reply as if there was
 * nothing to show, so that nobody learns another user's setting.
 */

type Person = Pick<User, 'id'>
type Sharing = Omit<Awaited<ReturnType<typeof findSharing>>[number], 'id'>

const MINUTE_MS = 60_000
/** An open page reports its presence every 15 seconds. */
const ONLINE_MS = 45_000

export async function sharingSettingsOf(db: Db, user: Person): Promise<SharingSettings> {
  const [found] = await findSharing(db, user.id, [user.id])
  if (!found) throw refuse('signed_out')
  const { sharesTyping: typing, sharesPresence: presence, sharesReadReceipts: readReceipts } = found
  return { typing, presence, readReceipts }
}

export async function changeSharing(
  tx: Tx,
  settings: SharingSettings,
  user: Person,
): Promise<SharingSettings> {
  await updateSharing(tx, user.id, {
    sharesTyping: settings.typing,
    sharesPresence: settings.presence,
    sharesReadReceipts: settings.readReceipts,
  })
  return settings
}

export async function announceTyping(
  tx: Tx,
  { wantedItemId, receiverId }: BodyOf<typeof announceTypingCall>,
  user: Person,
) {
  const isShown =
    (await hasConversation(tx, user.id, receiverId, wantedItemId)) &&
    (await bothShare(tx, [user.id, receiverId], 'sharesTyping'))
  if (isShown) await announce(tx, [receiverId], { about: 'typing', wantedItemId, userId: user.id })
  return { ok: true as const }
}

export async function presenceOf(db: Db, userId: string, user: Person, now: Date) {
  const isShown =
    (await hasConversation(db, user.id, userId)) && (await bothShare(db, [user.id, userId], 'sharesPresence'))
  const seenAt = isShown ? await findSeenAt(db, userId) : null
  if (!seenAt) return { online: false, lastSeenAt: null }
  return {
    online: now.getTime() - seenAt.getTime() < ONLINE_MS,
    lastSeenAt: new Date(Math.floor(seenAt.getTime() / MINUTE_MS) * MINUTE_MS),
  }
}

/** The senders who may see that this reader has read their messages. */
export async function sendersWithReceipts(tx: Tx, readerId: string, senderIds: string[]): Promise<string[]> {
  const people = await findSharing(tx, readerId, [readerId, ...senderIds])
  if (!people.some(({ id, sharesReadReceipts }) => id === readerId && sharesReadReceipts)) return []
  return people
    .filter(({ id, sharesReadReceipts }) => id !== readerId && sharesReadReceipts)
    .map(({ id }) => id)
}

async function bothShare(db: Db, ids: [string, string], what: keyof Sharing): Promise<boolean> {
  const people = await findSharing(db, ids[0], ids)
  return people.length === ids.length && people.every((person) => person[what])
}

/** The sharing settings of these users towards `reader`. Leaves out deleted and blocked users. */
function findSharing(db: Db, reader: string, ids: string[]) {
  return db
    .select(columns(users, 'id', 'sharesTyping', 'sharesPresence', 'sharesReadReceipts'))
    .from(users)
    .where(and(inArray(users.id, ids), isNull(users.deletedAt), not(areBlocked(users.id, reader))))
}

async function updateSharing(tx: Tx, userId: string, sharing: Sharing): Promise<void> {
  await updateRows(tx, users, { id: userId }, { ...sharing, updatedAt: tx.now })
}

/** Whether two people have exchanged messages or offers, about one request or about any. */
async function hasConversation(db: Db, one: string, other: string, wantedItemId?: number): Promise<boolean> {
  const isAbout = wantedItemId === undefined ? sql`` : sql`and wanted_item_id = ${wantedItemId}`
  const { rows } = await db.execute<{ has_conversation: boolean }>(sql`
    select exists (select from ${messages} where sender_id = ${one} and receiver_id = ${other} ${isAbout})
        or exists (select from ${messages} where sender_id = ${other} and receiver_id = ${one} ${isAbout})
        or exists (select from ${offers} where buyer_id = ${one} and seller_id = ${other} ${isAbout})
        or exists (select from ${offers} where buyer_id = ${other} and seller_id = ${one} ${isAbout})
        as has_conversation`)
  return rows[0]?.has_conversation ?? false
}

async function findSeenAt(db: Db, userId: string): Promise<Date | null> {
  const [found] = await db.select().from(presence).where(eq(presence.userId, userId))
  return found?.seenAt ?? null
}
