import { and, asc, desc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../database/database.ts'
import {
  files,
  messages,
  offerRequests,
  payments,
  photos,
  pictureUrls,
  reviews,
  users,
  wantedItems,
} from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

export function findRequests(db: Db, ids: number[]) {
  return db.select().from(wantedItems).where(inArray(wantedItems.id, ids))
}

export function findMessages(db: Db, ids: number[]) {
  return db
    .select({ message: messages, title: wantedItems.title })
    .from(messages)
    .innerJoin(wantedItems, eq(wantedItems.id, messages.wantedItemId))
    .where(inArray(messages.id, ids))
}

export function findPhotosOf(db: Db, messageIds: number[]) {
  return db
    .select({ id: photos.id, messageId: photos.messageId })
    .from(photos)
    .where(inArray(photos.messageId, messageIds))
    .orderBy(asc(photos.position))
}

export function findProfiles(db: Db, ids: string[]) {
  return db.select().from(users).where(inArray(users.id, ids))
}

export function findReviews(db: Db, ids: number[]) {
  return db
    .select({ review: reviews, title: offerRequests.title })
    .from(reviews)
    .innerJoin(payments, eq(payments.id, reviews.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(inArray(reviews.id, ids))
}

export function findFiles(db: Db, ids: string[]) {
  return db.select().from(files).where(inArray(files.id, ids))
}

export function findPhotoFiles(db: Db, photoIds: number[]) {
  return db
    .select({ id: photos.id, hiddenAt: files.hiddenAt })
    .from(photos)
    .innerJoin(files, eq(files.id, photos.fileId))
    .where(inArray(photos.id, photoIds))
}

/** The newest request that shows a picture. */
export async function findRequestWith(db: Db, url: string) {
  const [found] = await db
    .select({ id: wantedItems.id, title: wantedItems.title, hiddenAt: wantedItems.hiddenAt })
    .from(wantedItems)
    .where(and(sql`${wantedItems.images} <> '[]'`, sql`${pictureUrls} ? ${url}`))
    .orderBy(desc(wantedItems.id))
    .limit(1)
  return found
}

const senders = alias(users, 'senders')

/** A message and its neighbours in the conversation, oldest first. */
export async function findContext(db: Db, id: number, reach: number) {
  const [reported] = await db.select().from(messages).where(eq(messages.id, id))
  if (!reported) return []
  const { wantedItemId, senderId, receiverId } = reported
  const select = () => db.select({ message: messages, sender: publicColumns(senders) }).from(messages)
  const inConversation = and(
    eq(messages.wantedItemId, wantedItemId),
    or(
      and(eq(messages.senderId, senderId), eq(messages.receiverId, receiverId)),
      and(eq(messages.senderId, receiverId), eq(messages.receiverId, senderId)),
    ),
  )
  const before = await select()
    .innerJoin(senders, eq(senders.id, messages.senderId))
    .where(and(inConversation, lt(messages.id, id)))
    .orderBy(desc(messages.id))
    .limit(reach)
  const messageAndLater = await select()
    .innerJoin(senders, eq(senders.id, messages.senderId))
    .where(and(inConversation, gt(messages.id, id - 1)))
    .orderBy(asc(messages.id))
    .limit(reach + 1)
  return [...before.reverse(), ...messageAndLater]
}
