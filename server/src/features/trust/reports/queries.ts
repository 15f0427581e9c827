import { REVIEW_DAYS } from '@sought/contract/reviews'
import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import {
  files,
  messages,
  offers,
  payments,
  photos,
  pictureUrls,
  reports,
  reviews,
  users,
  wantedItems,
} from '../../../database/schema.ts'
import { FILES_PATH } from '../../../files/stored-files.ts'

const DAY_MS = 86_400_000

type Owner = { personId: string | null }[]
const personIn = ([found]: Owner): string | null => found?.personId ?? null

export async function findOwnerOfRequest(db: Db, id: number): Promise<string | null> {
  const isShown = and(isNull(wantedItems.hiddenAt), isNull(users.deletedAt))
  return personIn(
    await db
      .select({ personId: wantedItems.userId })
      .from(wantedItems)
      .innerJoin(users, eq(users.id, wantedItems.userId))
      .where(and(eq(wantedItems.id, id), isShown)),
  )
}

/** The sender of a message that `reader` has sent or received. */
export async function findSender(db: Db, id: number, reader: string): Promise<string | null> {
  const isOfReader = or(eq(messages.senderId, reader), eq(messages.receiverId, reader))
  return personIn(
    await db
      .select({ personId: messages.senderId })
      .from(messages)
      .where(and(eq(messages.id, id), isOfReader, isNull(messages.hiddenAt))),
  )
}

export async function findPerson(db: Db, id: string): Promise<string | null> {
  return personIn(
    await db
      .select({ personId: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt))),
  )
}

export async function findAuthorOfReview(db: Db, id: number, now: Date): Promise<string | null> {
  const dueIfEndedBy = new Date(now.getTime() - REVIEW_DAYS * DAY_MS).toISOString()
  const isPublished = sql`(${reviews.publishedAt} is not null or ${payments.endedAt} <= ${dueIfEndedBy}::timestamptz)`
  return personIn(
    await db
      .select({ personId: reviews.authorId })
      .from(reviews)
      .innerJoin(payments, eq(payments.id, reviews.paymentId))
      .where(and(eq(reviews.id, id), isPublished, isNull(reviews.hiddenAt))),
  )
}

/** The owner of a picture that a request or a profile shows. */
export async function findOwnerOfPicture(db: Db, name: string): Promise<string | null> {
  const path = FILES_PATH + name
  const isOnRequest = sql`exists (
    select from ${wantedItems} where user_id = ${users.id} and hidden_at is null and images <> '[]'
      and ${pictureUrls} ? ${path}
  )`
  const isOnProfile = and(eq(users.profileImageUrl, path), isNull(users.profileHiddenAt))
  return personIn(
    await db
      .select({ personId: users.id })
      .from(files)
      .innerJoin(users, eq(users.id, files.ownerId))
      .where(
        and(
          eq(files.id, name),
          isNull(files.hiddenAt),
          isNull(users.deletedAt),
          or(isOnRequest, isOnProfile),
        ),
      ),
  )
}

/** The owner of a photo in one of `reader`'s conversations, or of their own unsent photo. */
export async function findOwnerOfPhoto(db: Db, id: number, reader: string): Promise<string | null> {
  const people: SQL[] = [
    messages.senderId,
    messages.receiverId,
    offers.buyerId,
    offers.sellerId,
    photos.ownerId,
  ].map((person) => sql`${person}`)
  return personIn(
    await db
      .select({ personId: photos.ownerId })
      .from(photos)
      .innerJoin(files, eq(files.id, photos.fileId))
      .leftJoin(messages, eq(messages.id, photos.messageId))
      .leftJoin(offers, eq(offers.id, photos.offerId))
      .where(
        and(
          eq(photos.id, id),
          isNull(messages.hiddenAt),
          isNull(files.hiddenAt),
          sql`${reader} in (${sql.join(people, sql`, `)})`,
        ),
      ),
  )
}

export function findReportsBy(db: Db, reporterId: string) {
  return db.select().from(reports).where(eq(reports.reporterId, reporterId)).orderBy(desc(reports.id))
}
