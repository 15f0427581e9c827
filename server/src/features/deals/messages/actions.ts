import { isDeepStrictEqual } from 'node:util'
import type { BodyOf, QueryOf } from '@sought/contract/call'
import { MARKET_NAME } from '@sought/contract/constants'
import type {
  listConversations,
  markMessagesRead as markMessagesReadCall,
  sendMessage as sendMessageCall,
} from '@sought/contract/messages'
import type { NotificationKind } from '@sought/contract/notification-kinds'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'
import { summaryOf } from '../../board/requests/request-versions.ts'
import { requireOpen } from '../../board/requests/reservation.ts'
import { requireUnrestricted } from '../../identity/accounts/active-users.ts'
import { markNotificationsRead, notify } from '../../notifications/actions.ts'
import { openCase, severityOf } from '../../trust/cases/open-case.ts'
import { checkMessage, describeWarnings } from '../../trust/scams/check-message.ts'
import { delayBlocks } from '../../users/blocks.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { photosOfMessages, sendPhotos } from '../photos/actions.ts'
import { lockInbox, lockInboxForSending } from './inbox-lock.ts'
import { messageReceived } from './notifications.ts'
import type { MessageFilter } from './queries.ts'
import * as queries from './queries.ts'
import { sendersWithReceipts } from './sharing.ts'

export { countFirstContact } from '../offers/first-contacts.ts'

type Person = Pick<User, 'id'>
type Row = NonNullable<Awaited<ReturnType<typeof queries.findMessage>>>

/** Messages as `user` sees them. */
async function presentMessages(db: Db, rows: Row[], user: Person) {
  const withPhotos = rows.filter(({ message }) => message.photoCount > 0 && !message.hiddenAt)
  const photos = await photosOfMessages(
    db,
    withPhotos.map(({ message }) => message.id),
  )
  const marketName = rows.some(({ message }) => message.warnings.length > 0)
    ? (await findSettings(db)).name
    : MARKET_NAME
  return rows.map(({ message, sender, receiver, wantedItem, agreed, isBlocked }) => {
    const isHidden = message.hiddenAt !== null
    const isReceiver = message.receiverId === user.id
    const sharesReceipts = sender.sharesReadReceipts && receiver.sharesReadReceipts && !isBlocked
    const isUnshared = message.senderId === user.id && !sharesReceipts
    return {
      ...message,
      isHidden,
      ...(isHidden && { content: '' }),
      ...(isUnshared && { isRead: false, readAt: null }),
      photos: photos.get(message.id) ?? [],
      warning: isReceiver && !isHidden ? describeWarnings(message.warnings, marketName) : null,
      sender: asPublicUser(sender),
      receiver: asPublicUser(receiver),
      wantedItem: agreed ? summaryOf(agreed, wantedItem.userId) : wantedItem,
    }
  })
}

export async function messagesOf(db: Db, user: Person, filter: MessageFilter) {
  return presentMessages(db, await queries.findMessages(db, user.id, filter), user)
}

export async function sendMessage(
  tx: Tx,
  body: BodyOf<typeof sendMessageCall>,
  sender: Person,
  publicUrl: string,
) {
  const { isPaid } = await authoriseConversation(tx, body, sender)
  await lockInboxForSending(tx, { ...body, senderId: sender.id })
  const { clientId = null, photoIds, ...message } = body
  const { warnings, isFlagged } = checkMessage(body.content, { isPaid, publicUrl })
  const id = await queries.insertMessage(tx, {
    ...message,
    senderId: sender.id,
    clientId,
    photoCount: photoIds.length,
    warnings,
  })
  if (id === null) return findFirstAttempt(tx, body, sender)
  await sendPhotos(tx, photoIds, { messageId: id }, sender)
  await announce(tx, [sender.id, body.receiverId], { about: 'messages' })
  await notifyOfMessage(tx, { ...message, senderId: sender.id })
  if (isFlagged) await flagMessage(tx, id, sender)
  return presentMessage(tx, await queries.findMessage(tx, id), sender)
}

export async function notifyOfMessage(
  tx: Tx,
  message: { wantedItemId: number; senderId: string; receiverId: string },
): Promise<void> {
  const firstUnread = await queries.findFirstUnread(tx, message)
  if (firstUnread) await notify(tx, messageReceived(message, firstUnread, tx.now))
}

/** Reports a message that is probably a scam to moderators. */
async function flagMessage(tx: Tx, id: number, { id: personId }: Person): Promise<void> {
  await openCase(tx, {
    kind: 'message',
    targetId: String(id),
    personId,
    severity: severityOf.scam,
    report: { reporterId: null, reason: 'scam' },
  })
}

/**
 * Anyone can write to the owner of an open request, and continue after it is closed. The owner can write to
 * users who have sent a message or an offer. Nobody can write to a deleted user, or if one of the two has
 * blocked the other.
 */
async function authoriseConversation(
  tx: Tx,
  { wantedItemId, receiverId }: BodyOf<typeof sendMessageCall>,
  sender: Person,
) {
  const item = await queries.findItem(tx, wantedItemId)
  if (!item) throw refuse('item_not_found')
  const toOwner = item.userId === receiverId && item.userId !== sender.id
  const fromOwner = item.userId === sender.id && item.userId !== receiverId
  if (!toOwner && !fromOwner) throw refuse('conversation_not_allowed')
  await delayBlocks(tx, sender.id, receiverId)
  const guestId = toOwner ? sender.id : receiverId
  const contact = await queries.findContact(tx, { wantedItemId, ownerId: item.userId, guestId, receiverId })
  if (!contact.isActive) throw refuse('conversation_not_allowed')
  if (contact.isBlocked) throw refuse('blocked')
  if (contact.isParticipant) return contact
  if (fromOwner) throw refuse('conversation_not_allowed')
  if (item.hiddenAt) throw refuse('item_not_found')
  requireOpen(item, tx.now)
  await requireUnrestricted(tx, sender.id)
  return contact
}

/** A retry returns the message of the first attempt. Reusing a client id for another message is refused. */
async function findFirstAttempt(tx: Tx, body: BodyOf<typeof sendMessageCall>, sender: Person) {
  const first = await presentMessage(
    tx,
    await queries.findByClientId(tx, sender.id, body.clientId ?? ''),
    sender,
  )
  const isSame =
    first.content === body.content &&
    first.wantedItemId === body.wantedItemId &&
    first.receiverId === body.receiverId &&
    isDeepStrictEqual(
      first.photos.map(({ id }) => id),
      body.photoIds,
    )
  if (!isSame) throw refuse('message_mark_used')
  return first
}

async function presentMessage(tx: Tx, row: Row | undefined, sender: Person) {
  const [message] = await presentMessages(tx, row ? [row] : [], sender)
  if (!message) throw new Error('the message that was just sent does not exist')
  return message
}

/** Kinds of notifications whose content people read in the conversation itself. */
const CONVERSATION_KINDS: NotificationKind[] = [
  'message',
  'offer_made',
  'offer_accepted',
  'offer_rejected',
  'offer_countered',
  'request_changed',
]

export async function markMessagesRead(tx: Tx, body: BodyOf<typeof markMessagesReadCall>, user: Person) {
  await lockInbox(tx, user.id, body.wantedItemId)
  const senders = await queries.markRead(tx, user.id, body)
  if (senders.length > 0) {
    const notifiedSenders = await sendersWithReceipts(tx, user.id, [...new Set(senders)])
    await announce(tx, [user.id, ...notifiedSenders], { about: 'messages' })
  }
  const conversation = {
    kinds: CONVERSATION_KINDS,
    wantedItemId: body.wantedItemId,
    actorId: body.senderId,
  }
  await markNotificationsRead(tx, { conversation }, user)
  return { read: senders.length }
}

export async function conversationsOf(db: Db, user: Person, page: QueryOf<typeof listConversations>) {
  const rows = await queries.findConversations(db, user.id, page)
  if (rows.length === 0) return []
  const lastIds = rows.flatMap((row) => row.last_message_id ?? [])
  const agreedIds = rows.flatMap((row) => row.agreed_offer_id ?? [])
  const [items, people, last, agreed] = await Promise.all([
    queries.findItemsById(db, [...new Set(rows.map((row) => row.wanted_item_id))]),
    queries.findUsersById(db, [...new Set(rows.map((row) => row.other_id))]),
    lastIds.length > 0 ? queries.findMessagesById(db, lastIds) : [],
    agreedIds.length > 0 ? queries.findAgreedItems(db, agreedIds) : [],
  ])
  const itemOf = new Map(items.map((item) => [item.id, item]))
  const personOf = new Map(people.map((person) => [person.id, person]))
  const messageOf = new Map(last.map((message) => [message.id, message]))
  const agreedOf = new Map(agreed.map((request) => [request.offerId, request]))
  return rows.flatMap((row) => {
    const [wantedItem, person] = [itemOf.get(row.wanted_item_id), personOf.get(row.other_id)]
    if (!wantedItem || !person) return []
    const agreement = agreedOf.get(row.agreed_offer_id ?? 0)
    return {
      wantedItem: agreement ? { ...wantedItem, ...shownOf(agreement) } : wantedItem,
      user: asPublicUser(person),
      lastMessage: asLastMessage(messageOf.get(row.last_message_id ?? 0)),
      activeAt: new Date(row.active_at),
      unreadCount: row.unread_count,
    }
  })
}

/** Not the budget: new offers are made for the current one. */
function shownOf(agreement: Parameters<typeof summaryOf>[0]) {
  const { title, category, imageUrl, pictureUrl } = summaryOf(agreement, '')
  return { title, category, imageUrl, pictureUrl }
}

function asLastMessage(message: Row['message'] | undefined) {
  if (!message) return null
  const isHidden = message.hiddenAt !== null
  return { ...message, isHidden, ...(isHidden && { content: '', photoCount: 0 }) }
}
