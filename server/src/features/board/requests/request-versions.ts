import type { Currency } from '@sought/contract/currencies'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { StoredImage } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import { notify } from '../../notifications/actions.ts'
import { requestChanged } from './notifications.ts'
import { findOutdatedOffers, findVersionReader, findVersions } from './version-queries.ts'

/*
 * What a request said at each time (ADR 93). The database makes the versions: each change of a request makes one, and
 * an offer answers the one that is current when it is made.
 */

interface Version {
  version: number
  title: string
  description: string
  category: string
  minBudget: number
  maxBudget: number
  currency: Currency
  images: StoredImage[]
}

export function asRequestVersion<Row extends Version>({ images, ...version }: Row) {
  return { ...version, pictures: asPictures(images) }
}

/** Leaves out pictures of other sites that are not copied yet. */
export const asPictures = (images: readonly StoredImage[]) =>
  images.flatMap(({ pictureUrl: url, alt, width, height }) =>
    url === null ? [] : [{ url, alt, width, height }],
  )

/** The item of a deal. Its owner is the buyer. */
export function asAgreedItem(row: Version & { wantedItemId: number }, { buyerId }: { buyerId: string }) {
  return { ...asRequestVersion(row), ...summaryOf(row, buyerId) }
}

/** What lists show of an agreed request, in the form of `itemSummaryColumns`. */
export function summaryOf(row: Version & { wantedItemId: number }, buyerId: string) {
  const { wantedItemId: id, title, category, minBudget, maxBudget, currency, images } = row
  const { url: imageUrl = null, pictureUrl = null } = images[0] ?? {}
  return { id, title, category, imageUrl, pictureUrl, userId: buyerId, minBudget, maxBudget, currency }
}

/** Tells the sellers whose open offers answer an earlier version of a request. */
export async function announceChange(tx: Tx, wantedItemId: number, ownerId: string): Promise<void> {
  const outdated = await findOutdatedOffers(tx, wantedItemId)
  if (outdated.length === 0) return
  const sellers = outdated.map(({ sellerId }) => sellerId)
  await announce(tx, sellers, { about: 'offers' })
  await notify(tx, requestChanged({ wantedItemId, ownerId, offers: outdated }, tx.now))
}

/** Oldest first. For strangers, the request does not exist. A hidden one exists for the parties of a deal and the desk. */
export async function versionsOf(db: Db, wantedItemId: number, userId: string) {
  const reader = await findVersionReader(db, wantedItemId, userId)
  if (!reader) throw refuse('item_not_found')
  const mayRead =
    reader.isStaff || reader.hasDeal || (!reader.isHidden && (reader.isOwner || reader.hasOffer))
  if (!mayRead) throw refuse('item_not_found')
  return versionsOfRequests(db, [wantedItemId])
}

export async function versionsOfRequests(db: Db, wantedItemIds: number[]) {
  return (await findVersions(db, wantedItemIds)).map(asRequestVersion)
}
