import { CATEGORIES } from '@sought/contract/constants'
import type { Timestamp } from '@sought/contract/fields'
import type { Sort } from '@sought/contract/request-filters'
import {
  and,
  desc,
  eq,
  fillPlaceholders,
  gt,
  inArray,
  isNull,
  lt,
  ne,
  type Query,
  type SQL,
  sql,
} from 'drizzle-orm'
import { batchReads } from '../../../database/batched-reads.ts'
import type { Db, PooledDb, Tx } from '../../../database/database.ts'
import { asLiteral, opaquePlaceholder } from '../../../database/prepared.ts'
import { columns, insertRow, updateRows } from '../../../database/rows.ts'
import { quoteAll } from '../../../database/schema/columns.ts'
import { users, wantedItems } from '../../../database/schema.ts'
import { shareRead } from '../../../database/shared-reads.ts'
import { asText, timestampOf } from '../../../database/text-rows.ts'
import { shownPicture } from '../../users/public-user.ts'
import { type ItemFilter, isOpen, isUnexpired, orderBy } from './search/item-filter.ts'
import { searchOpenItems } from './search/search.ts'
import { findPlainParts, LAST_POSITION, newestWithPart, newestWithParts } from './search/search-statements.ts'

const publicColumns = {
  ...columns(users, 'id', 'firstName', 'lastName', 'rating'),
  profileImageUrl: shownPicture,
}

export const itemWithOwner = {
  id: wantedItems.id,
  title: wantedItems.title,
  description: wantedItems.description,
  category: wantedItems.category,
  minBudget: wantedItems.minBudget,
  maxBudget: wantedItems.maxBudget,
  currency: wantedItems.currency,
  location: wantedItems.location,
  urgency: wantedItems.urgency,
  images: wantedItems.images,
  imageUrl: wantedItems.imageUrl,
  pictureUrl: wantedItems.pictureUrl,
  userId: wantedItems.userId,
  status: wantedItems.status,
  createdAt: wantedItems.createdAt,
  renewedAt: wantedItems.renewedAt,
  position: wantedItems.position,
  expiresAt: wantedItems.expiresAt,
  version: wantedItems.version,
  owner: publicColumns,
}

function selectItems(db: Db) {
  return db.select(itemWithOwner).from(wantedItems).innerJoin(users, eq(users.id, wantedItems.userId))
}

export async function findOpenItems(db: PooledDb, filter: ItemFilter): Promise<readonly Row[]> {
  if (isNewest(filter)) return findNewestItems(db, filter)
  const parts = findPlainParts(filter)
  const { items, areAll } = parts.length > 0 ? await findNewestWith(db, parts, filter) : NOT_TRIED
  if (items.length > 0 && areAll) return items
  const read = (positions: SQL) => findItemsAt(db, positions, filter.now, filter.sort)
  return searchOpenItems(db, filter, read, parts.length > 1 ? items.length : undefined)
}

const NOT_TRIED = { items: [], areAll: false }

/** The requests at these positions of the board, which are an SQL array. */
export async function findItemsAt(
  db: PooledDb,
  positions: SQL,
  now: Date,
  sort: Sort = 'newest',
): Promise<Row[]> {
  const query = selectItems(db)
    .where(and(isAnyOf(positions), isUnexpired(now)))
    .orderBy(orderBy(sort))
    .toSQL()
  return (await readRows<ItemRow>(db, { text: query.sql, values: query.params })).map(parseRow)
}

const isAnyOf = (positions: SQL) => sql`${wantedItems.position} = any(${positions})`

/** Counts at most `filter.limit`. */
export async function countOpenItems(db: PooledDb, filter: ItemFilter): Promise<number> {
  if (isNewest(filter)) return countNewestItems(db, filter)
  const found = await searchOpenItems(db, { ...filter, inAnyOrder: true }, async (positions) => {
    const { rows } = await db.execute(sql`select from unnest(${positions})`)
    return rows
  })
  return found.length
}

async function countNewestItems(db: Db, filter: ItemFilter): Promise<number> {
  const { category, urgency, notOf, limit, now } = filter
  const counted = db
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(
      and(
        isOpen,
        isUnexpired(now),
        category ? eq(wantedItems.category, category) : undefined,
        urgency ? eq(wantedItems.urgency, urgency) : undefined,
        notOf ? ne(wantedItems.userId, notOf) : undefined,
      ),
    )
    .limit(limit)
    .as('counted')
  return db.$count(counted)
}

type Selected = Awaited<ReturnType<typeof selectItems>>[number]

/** An item with its owner. In lists, times may already be in the contract's format. */
export type Row = Omit<Selected, 'createdAt' | 'renewedAt' | 'expiresAt'> & {
  createdAt: Date | Timestamp
  renewedAt: Date | Timestamp | null
  expiresAt: Date | Timestamp
}
type Condition = keyof typeof newestConditions

/** One plan fits all values of the opaque ones. */
const newestConditions = {
  now: gt(wantedItems.expiresAt, opaquePlaceholder('now', 'timestamptz')),
  category: eq(wantedItems.category, sql.placeholder('category')),
  urgency: eq(wantedItems.urgency, sql.placeholder('urgency')),
  notOf: ne(wantedItems.userId, opaquePlaceholder('notOf', 'text')),
  after: lt(wantedItems.position, opaquePlaceholder('after', 'integer')),
}

const conditionNames = Object.keys(newestConditions) as Condition[]

/** Whether the home screen's query can answer this filter. */
function isNewest({ limit, sort = 'newest', ...filter }: ItemFilter): boolean {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return sort === 'newest' && given.every(([name]) => name in newestConditions)
}

/**
 * The most frequent query, used by the home screen. Drizzle builds the SQL once per set of filters, and the rows are
 * arrays of text.
 */
function findNewestItems(db: PooledDb, filter: ItemFilter): Promise<readonly Row[]> {
  return readShared(db, newestStatement(db, filter), (rows: ItemRow[]) => rows.map(parseRow))
}

/**
 * The first value is the current time. It is not part of the cache key, so that all concurrent callers share a
 * read.
 */
function readShared<Columns extends unknown[], Found>(
  db: PooledDb,
  { name, text, values }: Statement,
  parse: (rows: Columns[]) => Found,
): Promise<Found> {
  const key = JSON.stringify([name, values.slice(1)])
  return shareRead(db.$client, key, async () => parse(await readRows<Columns>(db, { text, values })))
}

/** The rows as arrays of text. */
async function readRows<Columns extends unknown[]>(
  db: PooledDb,
  statement: Pick<Statement, 'text' | 'values'>,
): Promise<Columns[]> {
  return (await db.$client.query<Columns>({ ...statement, rowMode: 'array', types: asText })).rows
}

export interface Statement {
  /** A statement with the same name always has the same text. */
  name: string
  text: string
  values: unknown[]
}

/** Markets can have others, but each needs a statement. */
const KNOWN_CATEGORIES = new Set<string>(CATEGORIES)

export function newestStatement(db: Db, filter: ItemFilter): Statement {
  const values = { ...filter, after: filter.after?.position }
  const given = conditionNames.filter((name) => values[name] !== undefined)
  const { category = '', urgency } = filter
  const literals = { category: KNOWN_CATEGORIES.has(category) ? category : undefined, urgency }
  const name = ['newest', filter.limit, ...given, literals.category, urgency].join('_')
  return fillOnce(name, () => buildNewest(db, given, filter.limit, literals), values)
}

const built = new Map<string, Query>()
/** Strangers choose the limits and filters of lists. */
const MAX_BUILT = 1_000

function fillOnce(name: string, build: () => Query, values: Record<string, unknown>): Statement {
  const query = built.get(name) ?? build()
  if (built.size < MAX_BUILT) built.set(name, query)
  return { name, text: query.sql, values: fillPlaceholders(query.params, values) }
}

interface Literals {
  category: string | undefined
  urgency: string | undefined
}

/** The planner must see the category and the urgency, because it needs another index for a rare one. */
function buildNewest(db: Db, given: Condition[], limit: number, { category, urgency }: Literals): Query {
  const conditions = {
    ...newestConditions,
    ...(category && { category: sql`${wantedItems.category} = ${quoteAll([category])}` }),
    ...(urgency && { urgency: sql`${wantedItems.urgency} = ${quoteAll([urgency])}` }),
  }
  return selectItems(db)
    .where(and(isOpen, ...given.map((condition) => conditions[condition])))
    .orderBy(sql`${wantedItems.position} desc limit ${asLiteral(limit)}`)
    .toSQL()
}

interface QuickFound {
  items: readonly Row[]
  /** Whether these are all requests of the page, so that `searchOpenItems` is not needed. */
  areAll: boolean
}

/** Searches in one prepared statement, which may miss requests of the page (see `areAll`). */
function findNewestWith(db: PooledDb, parts: string[], filter: ItemFilter): Promise<QuickFound> {
  const { limit, now, after } = filter
  const [kind, find] = parts.length === 1 ? ['part', newestWithPart] : ['parts', newestWithParts]
  const build = () => buildSearch(db, find(asLiteral(limit)))
  const values = { now, part: parts[0], parts, before: after?.position ?? LAST_POSITION }
  return readShared(db, fillOnce(`${kind}_${limit}`, build, values), (rows: QuickRow[]) => ({
    items: rows.map(parseRow),
    areAll: rows[0]?.at(-1) === 't',
  }))
}

type QuickRow = [...ItemRow, areAll: string]

function buildSearch(db: Db, found: SQL): Query {
  return db
    .select({ ...itemWithOwner, areAll: sql`found.are_all` })
    .from(sql`(${found}) found`)
    .innerJoin(wantedItems, isAnyOf(sql`found.positions`))
    .innerJoin(users, eq(users.id, wantedItems.userId))
    .where(gt(wantedItems.expiresAt, opaquePlaceholder('now', 'timestamptz')))
    .orderBy(desc(wantedItems.position))
    .toSQL()
}

/** The columns of `itemWithOwner`, in its order. */
type ItemRow = [
  id: string,
  title: string,
  description: string,
  category: string,
  minBudget: string,
  maxBudget: string,
  currency: Row['currency'],
  location: string,
  urgency: Row['urgency'],
  images: string,
  imageUrl: string | null,
  pictureUrl: string | null,
  userId: string,
  status: Row['status'],
  createdAt: string,
  renewedAt: string | null,
  position: string,
  expiresAt: string,
  version: string,
  ownerId: string,
  firstName: string | null,
  lastName: string | null,
  rating: string,
  profileImageUrl: string | null,
]

const NO_IMAGES: Row['images'] = []

function parseRow([
  id,
  title,
  description,
  category,
  minBudget,
  maxBudget,
  currency,
  location,
  urgency,
  images,
  imageUrl,
  pictureUrl,
  userId,
  status,
  createdAt,
  renewedAt,
  position,
  expiresAt,
  version,
  ownerId,
  firstName,
  lastName,
  rating,
  profileImageUrl,
]: readonly [...ItemRow, ...unknown[]]): Row {
  return {
    id: Number(id),
    title,
    description,
    category,
    minBudget: Number(minBudget),
    maxBudget: Number(maxBudget),
    currency,
    location,
    urgency,
    images: images === '[]' ? NO_IMAGES : JSON.parse(images),
    imageUrl,
    pictureUrl,
    userId,
    status,
    createdAt: timestampOf(createdAt),
    renewedAt: renewedAt === null ? null : timestampOf(renewedAt),
    position: Number(position),
    expiresAt: timestampOf(expiresAt),
    version: Number(version),
    owner: { id: ownerId, firstName, lastName, rating: Number(rating), profileImageUrl },
  }
}

export async function findItem(db: Db, id: number) {
  const [found] = await findItemsById(db, [id])
  return found
}

interface ReadItem extends Row {
  isOwnerDeleted: boolean
  isHidden: boolean
}

/** A request for its page. Batched with concurrent reads of other requests. */
export const readItem = batchReads<number, ReadItem>(async (db, ids) => {
  const rows = await readRows<ReadItemRow>(
    db,
    fillOnce('items', () => buildItems(db), { ids }),
  )
  return new Map(rows.map((row) => [Number(row[0]), parseReadItem(row)]))
})

type ReadItemRow = [...ItemRow, ownerDeletedAt: string | null, hiddenAt: string | null]

function parseReadItem(row: ReadItemRow): ReadItem {
  return { ...parseRow(row), isOwnerDeleted: row.at(-2) !== null, isHidden: row.at(-1) !== null }
}

function buildItems(db: Db): Query {
  return (
    db
      .select({
        ...itemWithOwner,
        ownerDeletedAt: users.deletedAt,
        hiddenAt: wantedItems.hiddenAt,
      })
      .from(wantedItems)
      .innerJoin(users, eq(users.id, wantedItems.userId))
      // PostgreSQL would take the opaque value alone for a list of rows.
      .where(sql`${wantedItems.id} = any(${opaquePlaceholder('ids', 'integer[]')}::integer[])`)
      .toSQL()
  )
}

/** The data for a link preview. Undefined if the request is hidden or its owner has deleted their account. */
export async function findPreviewedItem(db: Db, id: number) {
  const [found] = await db
    .select(
      columns(
        wantedItems,
        'id',
        'title',
        'category',
        'location',
        'minBudget',
        'maxBudget',
        'currency',
        'pictureUrl',
      ),
    )
    .from(wantedItems)
    .innerJoin(users, and(eq(users.id, wantedItems.userId), isNull(users.deletedAt)))
    .where(and(eq(wantedItems.id, id), isNull(wantedItems.hiddenAt)))
  return found
}

export function findItemsById(db: Db, ids: number[]) {
  return selectItems(db).where(inArray(wantedItems.id, ids))
}

/** Hidden requests and those of deleted users are not visible. */
export function findVisibleItems(db: Db, ids: number[]) {
  return selectItems(db).where(
    and(inArray(wantedItems.id, ids), isNull(users.deletedAt), isNull(wantedItems.hiddenAt)),
  )
}

export function findUsers(db: Db, ids: string[]) {
  return db.select(publicColumns).from(users).where(inArray(users.id, ids))
}

export interface ItemPage {
  limit: number
  before?: number | undefined
}

export function findItemsOf(db: Db, userId: string, { limit, before }: ItemPage) {
  return selectItems(db)
    .where(and(eq(wantedItems.userId, userId), before ? lt(wantedItems.id, before) : undefined))
    .orderBy(desc(wantedItems.id))
    .limit(limit)
}

export function findOpenItemsOf(db: Db, userId: string, now: Date, { limit, before }: ItemPage) {
  return selectItems(db)
    .where(
      and(
        eq(wantedItems.userId, userId),
        isOpen,
        isUnexpired(now),
        before ? lt(wantedItems.id, before) : undefined,
      ),
    )
    .orderBy(desc(wantedItems.id))
    .limit(limit)
}

/** Serializes a user's new requests, because the number of open ones is limited. */
export async function lockOpening(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`requests:${userId}`}, 0))`)
}

export function countOpenItemsOf(tx: Tx, userId: string): Promise<number> {
  return tx.$count(wantedItems, and(eq(wantedItems.userId, userId), isOpen, isUnexpired(tx.now)))
}

export async function lockItem(tx: Tx, id: number) {
  const [found] = await tx.select().from(wantedItems).where(eq(wantedItems.id, id)).for('update')
  return found
}

/** The whole row, to compare it with a later state. */
export async function findSnapshot(tx: Tx, id: number): Promise<object | undefined> {
  const { rows } = await tx.execute<{ item: object }>(
    sql`select to_jsonb(item) as item from ${wantedItems} item where id = ${id}`,
  )
  return rows[0]?.item
}

type ItemFields = Omit<typeof wantedItems.$inferInsert, 'id' | 'createdAt' | 'updatedAt'>

export async function insertItem(tx: Tx, item: ItemFields): Promise<number> {
  const inserted = await insertRow(tx, wantedItems, { ...item, createdAt: tx.now, updatedAt: tx.now })
  tx.activities.push('request')
  return inserted.id
}

export async function updateItem(tx: Tx, id: number, change: Partial<ItemFields>): Promise<void> {
  await updateRows(tx, wantedItems, { id }, { ...change, updatedAt: tx.now })
}

/** A trigger sets the new expiry. The next id of the sequence is above every position on the board. */
export async function moveToTop(tx: Tx, id: number): Promise<void> {
  await tx
    .update(wantedItems)
    .set({
      status: 'open',
      renewedAt: tx.now,
      expiryNoticeAt: null,
      renewedPosition: sql`nextval(pg_get_serial_sequence('wanted_items', 'id'))`,
      updatedAt: tx.now,
    })
    .where(eq(wantedItems.id, id))
}
