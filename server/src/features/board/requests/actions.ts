import { RENEW_AFTER_DAYS, REQUEST_OPEN_DAYS, SEARCH_COUNT_MAX } from '@sought/contract/constants'
import type { Currency } from '@sought/contract/currencies'
import type { MarketSettings } from '@sought/contract/market-settings'
import { findBudgetProblem } from '@sought/contract/money'
import type { NewWantedItem } from '@sought/contract/requests'
import { itemStatusAt } from '@sought/escrow/reservation'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import type { Db, PooledDb, Tx } from '../../../database/database.ts'
import { findSettings, requireCurrency, requireKnownCategory } from '../../../database/market-settings.ts'
import { hasRow } from '../../../database/rows.ts'
import { offers } from '../../../database/schema.ts'
import { insertPublicPicture, type StoredFile } from '../../../files/stored-files.ts'
import type { User } from '../../../http/session.ts'
import { lockActiveUser, requireUnrestricted } from '../../identity/accounts/active-users.ts'
import { requireConsent } from '../../identity/policies/actions.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { type Located, locateInTime } from '../places/actions.ts'
import { enqueueMatching } from './enqueue-matching.ts'
import { enqueuePictures } from './pictures/fetch-picture.ts'
import { lacksCopy, resolveImages } from './pictures/item-images.ts'
import type { ItemPage, Row } from './queries.ts'
import * as queries from './queries.ts'
import { announceChange, asPictures } from './request-versions.ts'
import { requireChangeable } from './reservation.ts'
import type { ItemFilter } from './search/item-filter.ts'

const DAY_MS = 86_400_000

export { locateInTime }

type NewItem = z.output<typeof NewWantedItem>

export async function listOpenItems(db: PooledDb, filter: ItemFilter) {
  const items = await queries.findOpenItems(db, filter)
  return items.map(asWantedItem)
}

export async function countOpenItems(db: PooledDb, filter: Omit<ItemFilter, 'limit' | 'after'>) {
  const found = await queries.countOpenItems(db, { ...filter, limit: SEARCH_COUNT_MAX + 1 })
  return { count: Math.min(found, SEARCH_COUNT_MAX), isMore: found > SEARCH_COUNT_MAX }
}

/** Requests of deleted accounts are not found, and neither are hidden requests, even by their owner (ADR 79). */
export async function viewItem(db: PooledDb, id: number, now: Date) {
  const item = await queries.readItem(db, id)
  if (!item || item.isHidden) throw refuse('item_not_found')
  if (item.isOwnerDeleted) throw refuse('item_removed')
  return presentItem(item, now)
}

async function getItem(tx: Tx, id: number) {
  const item = await queries.findItem(tx, id)
  if (!item) throw new Error(`request ${id} was written and is missing`)
  return presentItem(item, tx.now)
}

export async function itemsOf(db: Db, userId: string, now: Date, page: ItemPage) {
  const items = await queries.findItemsOf(db, userId, page)
  return items.map((item) => presentItem(item, now))
}

export async function openItemsOf(db: Db, userId: string, now: Date, page: ItemPage) {
  const items = await queries.findOpenItemsOf(db, userId, now, page)
  return items.map(asWantedItem)
}

export function presentItem(row: Row, now: Date) {
  const item = asWantedItem(row)
  item.status = itemStatusAt({ status: row.status, expiresAt: new Date(row.expiresAt) }, now)
  return item
}

/** Serializers leave out the fields of the row that the contract does not declare. */
export function asWantedItem(row: Row) {
  return { ...row, pictures: asPictures(row.images), user: asPublicUser(row.owner) }
}

export async function postItem(tx: Tx, form: NewItem, located: Located, user: User) {
  await requireUnrestricted(tx, user.id)
  await requireConsent(tx, user.id)
  await requireFewOpen(tx, user)
  const settings = await findSettings(tx)
  const { imageUrl: _, currency = settings.currencies[0], ...fields } = form
  if (!currency) throw new Error('a market has a currency')
  requireCurrency(currency, settings)
  requireBudgets(form, currency)
  const images = await resolveImages(tx, form, user)
  const id = await queries.insertItem(tx, {
    ...fields,
    currency,
    ...located,
    images,
    pictureTryAt: tx.now,
    userId: user.id,
  })
  await enqueuePictures(tx, id, images)
  await enqueueMatching(tx, id)
  return getItem(tx, id)
}

/** A request keeps a category that was removed from the market. */
export async function editItem(
  tx: Tx,
  id: number,
  form: NewItem,
  located: Located,
  settings: MarketSettings,
  user: User,
) {
  const item = await lockOwnItem(tx, id, user)
  if (form.category !== item.category) requireKnownCategory(form.category, settings)
  const { imageUrl: _, currency = item.currency, ...fields } = form
  if (currency !== item.currency) await requireOtherCurrency(tx, id, currency)
  requireBudgets(form, currency)
  await enqueueMatching(tx, id, await queries.findSnapshot(tx, id))
  const images = await resolveImages(tx, form, user, item.images)
  const toFetch = lacksCopy(images) && { pictureAttempts: 0, pictureTryAt: tx.now }
  await queries.updateItem(tx, id, { ...fields, currency, ...located, images, ...toFetch })
  await enqueuePictures(tx, id, images)
  await announceChange(tx, id, user.id)
  return getItem(tx, id)
}

/** The foreign key of offers ensures the same, also for an offer that is being made. */
async function requireOtherCurrency(tx: Tx, id: number, currency: Currency): Promise<void> {
  requireCurrency(currency, await findSettings(tx))
  if (await hasRow(tx, offers, { wantedItemId: id })) throw refuse('currency_fixed')
}

function requireBudgets(form: Pick<NewItem, 'minBudget' | 'maxBudget'>, currency: Currency): void {
  const issues = (['minBudget', 'maxBudget'] as const).flatMap((path) => {
    const message = findBudgetProblem(form[path], currency)
    return message ? [{ path, message }] : []
  })
  if (issues.length > 0) throw refuse('invalid', { issues })
}

/** Idempotent. */
export async function closeItem(tx: Tx, id: number, user: User) {
  await lockOwnItem(tx, id, user)
  await queries.updateItem(tx, id, { status: 'closed' })
  return getItem(tx, id)
}

/** Idempotent. A request that expired while it was closed is also renewed. Otherwise nobody would find it. */
export async function reopenItem(tx: Tx, id: number, user: User) {
  const item = await lockOwnItem(tx, id, user)
  await requireUnrestricted(tx, user.id)
  requireCurrency(item.currency, await findSettings(tx))
  await requireFewOpen(tx, user, item)
  await enqueueMatching(tx, id, await queries.findSnapshot(tx, id))
  if (item.expiresAt > tx.now) await queries.updateItem(tx, id, { status: 'open' })
  else await queries.moveToTop(tx, id)
  return getItem(tx, id)
}

/**
 * Opens a request for another period, even if it has expired. Moves it to the top of the board at most once
 * in 7 days.
 */
export async function renewItem(tx: Tx, id: number, user: User) {
  const item = await lockOwnItem(tx, id, user)
  await requireUnrestricted(tx, user.id)
  if (item.status === 'closed') throw refuse('item_not_open')
  requireCurrency(item.currency, await findSettings(tx))
  await requireFewOpen(tx, user, item)
  await enqueueMatching(tx, id, await queries.findSnapshot(tx, id))
  if (renewableAt(item) <= tx.now) await queries.moveToTop(tx, id)
  else {
    const expiresAt = new Date(tx.now.getTime() + REQUEST_OPEN_DAYS * DAY_MS)
    await queries.updateItem(tx, id, { status: 'open', expiresAt, expiryNoticeAt: null })
  }
  return getItem(tx, id)
}

/** Refuses another open request if the user has reached the market's limit. */
async function requireFewOpen(
  tx: Tx,
  { id }: User,
  item?: { status: string; expiresAt: Date },
): Promise<void> {
  const isOpen = item?.status === 'open' && item.expiresAt > tx.now
  const { openRequestsMax } = await findSettings(tx)
  if (isOpen || openRequestsMax === null) return
  await queries.lockOpening(tx, id)
  if ((await queries.countOpenItemsOf(tx, id)) >= openRequestsMax) throw refuse('too_many_requests')
}

/** The time from which renewing a request moves it to the top again (ADR 51). */
export function renewableAt({ createdAt, renewedAt }: { createdAt: Date; renewedAt: Date | null }): Date {
  return new Date((renewedAt ?? createdAt).getTime() + RENEW_AFTER_DAYS * DAY_MS)
}

async function lockOwnItem(tx: Tx, id: number, user: User) {
  const item = await queries.lockItem(tx, id)
  if (!item || item.hiddenAt) throw refuse('item_not_found')
  if (item.userId !== user.id) throw refuse('not_your_item')
  await lockActiveUser(tx, user.id)
  requireChangeable(item)
  return item
}

export async function savePicture(tx: Tx, stored: StoredFile, user: User) {
  return { imageUrl: await insertPublicPicture(tx, stored, 'request_image', user.id) }
}
