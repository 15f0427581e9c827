import { LOOKUP_LIMIT } from '@sought/contract/lookup'
import { FACTS } from '@sought/escrow/provider-facts'
import { desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import {
  chargebacks,
  offerRequestColumns,
  offerRequests,
  payments,
  payouts,
  providerFacts,
  providerTransactions,
  requestVersions,
  users,
  userWords,
  wantedItems,
} from '../../../database/schema.ts'

/* Every condition has an index, and every list a limit: a search must not slow the market down. */

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

/**
 * Words that begin with the text. Both patterns start at the beginning of a word, so the index helps even
 * with two characters.
 */
const startsWord = (words: SQL, text: string) => {
  const escaped = text.toLowerCase().replace(/[\\%_]/g, '\\$&')
  return sql`(${words} like ${`${escaped}%`} or ${words} like ${`% ${escaped}%`})`
}

/** People by their id, their account at the provider, or the beginning of a name or an email address. */
export async function findPeopleIds(db: Db, text: string): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    (select id from ${users} where id = ${text} or stripe_connect_account_id = ${text})
    union
    (select id from ${users} where ${startsWord(userWords, text)} order by created_at desc limit ${LOOKUP_LIMIT})`)
  return rows.map(({ id }) => id)
}

export function findPeople(db: Db, ids: string[]) {
  return db
    .select()
    .from(users)
    .where(inArray(users.id, ids))
    .orderBy(desc(users.createdAt), users.id)
    .limit(LOOKUP_LIMIT)
}

/** Requests by their id, the beginning of a word of any title they had, or their owner. */
export async function findRequestIds(
  db: Db,
  { text, id, people }: { text: string; id: number | null; people: string[] },
): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    (select id from ${wantedItems} where id = ${id})
    union
    (select distinct wanted_item_id from ${requestVersions} where ${startsWord(sql`lower(title)`, text)}
     order by wanted_item_id desc limit ${LOOKUP_LIMIT})
    union
    (select request.id from unnest(${sql.param(people)}::text[]) owner, lateral (
       select id from ${wantedItems} where user_id = owner order by id desc limit ${LOOKUP_LIMIT}) request)`)
  return rows.map(({ id }) => id)
}

export function findRequests(db: Db, ids: number[]) {
  return db
    .select({ item: wantedItems, owner: users })
    .from(wantedItems)
    .innerJoin(users, eq(users.id, wantedItems.userId))
    .where(inArray(wantedItems.id, ids))
    .orderBy(desc(wantedItems.id))
    .limit(LOOKUP_LIMIT)
}

/** Deals by an identifier: their id, their number, the card, the parcel, or an object of the provider. */
export async function findNamedDealIds(
  db: Db,
  names: {
    text: string
    id: number | null
    transactionNumber: string | null
    cardLast4: string | null
    trackingNumber: string
    intentId: string | null
  },
): Promise<number[]> {
  const { text, id, transactionNumber, cardLast4, trackingNumber, intentId } = names
  const reports = FACTS.map((name) => `${name}:${text}`)
  const { rows } = await db.execute<{ id: number }>(sql`
    (select id from ${payments} where id = ${id} or transaction_number = ${transactionNumber}
       or stripe_payment_intent_id in (${text}, ${intentId}))
    union
    (select id from ${payments} where card_last4 = ${cardLast4} order by id desc limit ${LOOKUP_LIMIT})
    union
    (select id from ${payments} where tracking_number = ${trackingNumber} order by id desc limit ${LOOKUP_LIMIT})
    union
    (select payment_id from ${payouts} where provider_id = ${text})
    union
    (select payment_id from ${chargebacks} where id = ${text})
    union
    (select payment_id from ${providerFacts} where key = any(${sql.param(reports)}))
    union
    (select payment_id from ${providerTransactions} where id = ${text} and payment_id is not null)`)
  return rows.map(({ id }) => id)
}

/** The latest deals of people and requests. */
export async function findRelatedDealIds(db: Db, people: string[], items: number[]): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select deal.id from unnest(${sql.param(people)}::text[]) person, lateral (
      (select id from ${payments} where buyer_id = person order by id desc limit ${LOOKUP_LIMIT})
      union
      (select id from ${payments} where seller_id = person order by id desc limit ${LOOKUP_LIMIT})) deal
    union
    select deal.id from unnest(${sql.param(items)}::int[]) item, lateral (
      select id from ${payments} where wanted_item_id = item order by id desc limit ${LOOKUP_LIMIT}) deal`)
  return rows.map(({ id }) => id)
}

function selectDeals(db: Db) {
  return db
    .select({ payment: payments, item: offerRequestColumns, buyer: buyers, seller: sellers })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
}

export const findDeals = (db: Db, ids: number[]) =>
  selectDeals(db).where(inArray(payments.id, ids)).orderBy(desc(payments.id)).limit(LOOKUP_LIMIT)

export async function findDeal(db: Db, id: number) {
  const [found] = await selectDeals(db).where(eq(payments.id, id))
  return found
}

export async function findPerson(db: Db, id: string) {
  return findRow(db, users, { id })
}

/** A person's latest requests and deals. */
export const findRequestsOf = (db: Db, userId: string) =>
  db
    .select({ item: wantedItems, owner: users })
    .from(wantedItems)
    .innerJoin(users, eq(users.id, wantedItems.userId))
    .where(eq(wantedItems.userId, userId))
    .orderBy(desc(wantedItems.id))
    .limit(LOOKUP_LIMIT)

/** Avoids "buyer or seller" in one condition, because the planner might then read the payments of everyone. */
export const findDealsOf = async (db: Db, userId: string) =>
  findDeals(db, await findRelatedDealIds(db, [userId], []))
