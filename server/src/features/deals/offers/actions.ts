import type { BodyOf } from '@sought/contract/call'
import type { Currency } from '@sought/contract/currencies'
import { smallestOffer } from '@sought/contract/currency-defaults'
import { type DeploymentDefaults, limitsOf, type MarketSettings } from '@sought/contract/market-settings'
import { findAmountProblem, minorOf } from '@sought/contract/money'
import {
  type counterOffer as counterOfferCall,
  type makeOffer as makeOfferCall,
  shipWithinDaysOf,
} from '@sought/contract/offers'
import { ratesOfDeal } from '@sought/escrow/fees'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse, requireValid } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { feesAt, findAllFees, findSettings, withDefaults } from '../../../database/market-settings.ts'
import { announce } from '../../../http/events.ts'
import type { User } from '../../../http/session.ts'
import { HIDDEN_TITLE } from '../../board/requests/hidden-request.ts'
import { asRequestVersion, summaryOf } from '../../board/requests/request-versions.ts'
import { requireOpen } from '../../board/requests/reservation.ts'
import {
  areActive,
  lockActiveUser,
  requireUnrestricted,
  requireVerifiedEmail,
} from '../../identity/accounts/active-users.ts'
import { requireConsent } from '../../identity/policies/actions.ts'
import { markNotificationsRead, type NewNotification, notify } from '../../notifications/actions.ts'
import { requireUnblocked } from '../../users/blocks.ts'
import { requirePayable } from '../../users/payable-currencies.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { photosOfOffers, sendPhotos } from '../photos/actions.ts'
import { requireFewCancellations } from './cancellation-limit.ts'
import { offerAccepted, offerCountered, offerMade, offerRejected } from './notifications.ts'
import type { OfferFilter, RankedPage } from './queries.ts'
import * as queries from './queries.ts'

const DAY_MS = 86_400_000

type Person = Pick<User, 'id'>
type Row = NonNullable<Awaited<ReturnType<typeof queries.findOffer>>>
type LockedOffer = NonNullable<Awaited<ReturnType<typeof queries.lockOffer>>>

async function presentOffers(db: Db, rows: Row[]) {
  const photos = await photosOfOffers(
    db,
    rows.map(({ offer }) => offer.id),
  )
  const allFees = rows.some(({ offer }) => offer.acceptedAt) ? await findAllFees(db) : []
  return rows.map(({ offer, request, item, buyer, seller, payoutsStopped }) => ({
    ...offer,
    request: asRequestVersion(item.hiddenAt && offer.status !== 'accepted' ? hideRequest(request) : request),
    currentVersion: item.version,
    fees:
      offer.acceptedAt && ratesOfDeal(offer.amount, feesAt(allFees, offer.acceptedAt, offer.currency).rates),
    photos: photos.get(offer.id) ?? [],
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
    ...(payoutsStopped && { sellerPayoutsStopped: true as const }),
  }))
}

/** Hidden requests stay visible in deals only. */
const hideRequest = (request: Row['request']) => ({
  ...request,
  title: HIDDEN_TITLE,
  description: '',
  images: [],
})

export async function offersOf(db: Db, user: Person, filter: OfferFilter) {
  return presentOffers(db, await queries.findOffersOf(db, user.id, filter))
}

/** The offers on a request that its owner can compare. */
export async function receivedOffers(db: Db, wantedItemId: number, user: Person, now: Date, limit: number) {
  const ownerId = await queries.findItemOwner(db, wantedItemId)
  if (!ownerId) throw refuse('item_not_found')
  if (ownerId !== user.id) throw refuse('not_your_item')
  const found = await queries.findReceivedOffers(db, wantedItemId, now, limit)
  const records = new Map(found.map((row) => [row.offer.id, row]))
  return (await presentOffers(db, found)).map((offer) => {
    const { seller, completedDeals = 0, counterAmount = null } = records.get(offer.id) ?? {}
    return {
      ...offer,
      seller: { ...offer.seller, ratingCount: seller?.ratingCount ?? 0, completedDeals },
      counterAmount,
    }
  })
}

/** A seller's offers with the possible next steps. Offers that wait for the seller come first. */
export async function ownOffersOf(db: Db, seller: Person, now: Date, page: RankedPage) {
  const progress = await queries.findOfferProgress(db, seller.id, now, page)
  const found = await queries.findOffersById(
    db,
    progress.map(({ id }) => id),
  )
  const items = new Map(found.map((row) => [row.offer.id, itemOf(row)]))
  const offers = new Map((await presentOffers(db, found)).map((offer) => [offer.id, offer]))
  return progress.flatMap(
    ({ id, rank, is_waiting, state, next_step, payment_id, waiting_until, unread_count }) => {
      const offer = offers.get(id)
      const wantedItem = items.get(id)
      if (!offer || !wantedItem) return []
      return {
        ...offer,
        wantedItem,
        rank: Number(rank),
        isWaiting: is_waiting,
        state,
        nextStep: next_step,
        paymentId: payment_id,
        waitingUntil: waiting_until === null ? null : new Date(waiting_until),
        unreadCount: unread_count,
      }
    },
  )
}

/** What the offer is about: the request as agreed, or as it is now. */
const itemOf = ({ offer, request, item }: Row) =>
  offer.status === 'accepted' ? summaryOf(request, offer.buyerId) : item

/** A seller has at most one open offer on a request. A new one replaces it. */
export async function makeOffer(
  tx: Tx,
  encryption: Encryption,
  body: BodyOf<typeof makeOfferCall>,
  seller: Person,
  defaults: DeploymentDefaults,
) {
  await queries.lockOffering(tx, seller.id, body.wantedItemId)
  // Offers, then requests, then users: all transactions lock them in this order.
  const replaced = await queries.withdrawOpenOffer(tx, seller.id, body.wantedItemId)
  const item = await queries.lockItemShared(tx, body.wantedItemId)
  if (!item || item.hiddenAt) throw refuse('item_not_found')
  if (item.userId === seller.id) throw refuse('own_item')
  if (item.userId !== body.receiverId) throw refuse('conversation_not_allowed')
  requireOpen(item, tx.now)
  if (body.requestVersion) requireCurrent(item, body.requestVersion)
  const settings = withDefaults(await findSettings(tx), defaults)
  checkAmount(body.amount, item, settings)
  await requirePayable(tx, encryption, seller.id, item.currency, settings)
  await lockActiveUser(tx, seller.id)
  await requireVerifiedEmail(tx, seller.id, settings)
  await requireFewCancellations(tx, seller.id, settings)
  if (!(await areActive(tx, [item.userId]))) throw refuse('item_not_open')
  await requireUnblocked(tx, seller.id, item.userId)
  await requireUnrestricted(tx, seller.id)
  await requireConsent(tx, seller.id)
  const id = await queries.insertOffer(tx, {
    wantedItemId: item.id,
    buyerId: item.userId,
    sellerId: seller.id,
    amount: body.amount,
    currency: item.currency,
    delivery: body.delivery,
    shipWithinDays: shipWithinDaysOf(body),
    message: body.message || null,
    expiresAt: expiry(tx.now, settings),
  })
  await queries.setReplacedBy(tx, replaced, id)
  await sendPhotos(tx, body.photoIds, { offerId: id }, seller)
  return announceAndNotify(tx, offerMade, id, seller)
}

/** Refuses an answer to a request that has changed since the user saw it. */
function requireCurrent(item: { version: number }, seenVersion: number): void {
  if (item.version !== seenVersion) throw refuse('request_changed')
}

/**
 * What the provider can charge, and the range of the slider: from the smallest offer to the budget, or to the market's
 * limit if that is lower (ADR 21).
 */
function checkAmount(
  amount: number,
  { maxBudget, currency }: { maxBudget: number; currency: Currency },
  settings: MarketSettings,
): void {
  requireValid('amount', findAmountProblem(amount, currency))
  const { maxOfferCents } = limitsOf(settings, currency)
  const budget = maxBudget === 0 ? Number.POSITIVE_INFINITY : minorOf(maxBudget, currency)
  const max = Math.min(budget, maxOfferCents ?? Number.POSITIVE_INFINITY)
  if (amount < Math.min(smallestOffer(currency), max) || amount > max) throw refuse('offer_out_of_range')
}

const expiry = (now: Date, { offerExpiryDays }: MarketSettings) =>
  new Date(now.getTime() + offerExpiryDays * DAY_MS)

/** The buyer accepts an offer, the seller a counter-offer. */
export async function acceptOffer(tx: Tx, id: number, user: Person, defaults: DeploymentDefaults) {
  const offer = await lockPending(tx, id, user, answererOf)
  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')
  const item = await lockOpenItem(tx, offer.wantedItemId)
  // Since the offer was made, the buyer may have lowered the budget, or the operator the limit.
  const settings = withDefaults(await findSettings(tx), defaults)
  checkAmount(offer.amount, item, settings)
  await requireVerifiedEmail(tx, user.id, settings)
  await requireUnblocked(tx, offer.buyerId, offer.sellerId)
  await queries.updateOffer(tx, id, { status: 'accepted', acceptedAt: tx.now })
  await queries.setReplacedBy(tx, await queries.withdrawSiblings(tx, offer), id)
  await markAnswered(tx, offer, user)
  return announceAndNotify(tx, offerAccepted, id, user)
}

export async function rejectOffer(tx: Tx, id: number, user: Person) {
  const offer = await lockPending(tx, id, user, answererOf)
  await queries.updateOffer(tx, id, { status: 'rejected', rejectedAt: tx.now })
  await markAnswered(tx, offer, user)
  return announceAndNotify(tx, offerRejected, id, user)
}

export async function withdrawOffer(tx: Tx, id: number, user: Person) {
  await lockPending(tx, id, user, proposerOf)
  await queries.updateOffer(tx, id, { status: 'withdrawn', withdrawnAt: tx.now })
  return announceOffer(tx, id)
}

/**
 * The seller confirms an offer on the current version of the request. The buyer cannot do the same with a
 * counter-offer: the seller might accept it at that moment, and would agree to a version they have not seen.
 */
export async function keepOffer(tx: Tx, id: number, requestVersion: number, seller: Person) {
  const offer = await lockPending(tx, id, seller, keeperOf)
  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')
  const item = await lockOpenItem(tx, offer.wantedItemId)
  requireCurrent(item, requestVersion)
  checkAmount(offer.amount, item, await findSettings(tx))
  await requireUnblocked(tx, offer.buyerId, offer.sellerId)
  await queries.updateOffer(tx, id, { requestVersion })
  const conversation = { kinds: ['request_changed' as const], wantedItemId: offer.wantedItemId }
  await markNotificationsRead(tx, { conversation }, seller)
  return announceOffer(tx, id)
}

/** The buyer suggests another amount. The offer stays pending; the buyer's earlier counter-offers are withdrawn. */
export async function counterOffer(
  tx: Tx,
  id: number,
  body: BodyOf<typeof counterOfferCall>,
  buyer: Person,
  defaults: DeploymentDefaults,
) {
  const offer = await lockPending(tx, id, buyer, countererOf)
  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')
  const item = await lockOpenItem(tx, offer.wantedItemId)
  const settings = withDefaults(await findSettings(tx), defaults)
  checkAmount(body.amount, item, settings)
  if (body.amount === offer.amount) throw refuse('same_amount')
  await lockActiveUser(tx, buyer.id)
  await requireVerifiedEmail(tx, buyer.id, settings)
  await requireUnblocked(tx, offer.buyerId, offer.sellerId)
  const replaced = await queries.withdrawSiblings(tx, offer)
  const counterId = await queries.insertOffer(tx, {
    wantedItemId: offer.wantedItemId,
    buyerId: offer.buyerId,
    sellerId: offer.sellerId,
    amount: body.amount,
    currency: offer.currency,
    delivery: offer.delivery,
    shipWithinDays: offer.shipWithinDays,
    message: body.message || null,
    proposedBy: 'buyer',
    counterOf: offer.id,
    expiresAt: expiry(tx.now, settings),
  })
  await queries.setReplacedBy(tx, replaced, counterId)
  await markAnswered(tx, offer, buyer)
  await sendPhotos(tx, body.photoIds, { offerId: counterId }, buyer)
  return announceAndNotify(tx, offerCountered, counterId, buyer)
}

const proposerOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.sellerId : offer.buyerId)
const answererOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.buyerId : offer.sellerId)
/** A counter-offer cannot be countered itself. */
const countererOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.buyerId : null)

const keeperOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.sellerId : null)

/** Other users get `offer_not_found`, so that they cannot learn that the offer exists. */
async function lockPending(
  tx: Tx,
  id: number,
  user: Person,
  allowedUserOf: (offer: LockedOffer) => string | null,
): Promise<LockedOffer> {
  const offer = await queries.lockOffer(tx, id)
  if (!offer || ![offer.buyerId, offer.sellerId].includes(user.id)) throw refuse('offer_not_found')
  if (allowedUserOf(offer) !== user.id) throw refuse('not_your_offer')
  if (offer.status !== 'pending') throw refuse('offer_not_pending')
  return offer
}

async function lockOpenItem(tx: Tx, id: number) {
  const item = await queries.lockItemShared(tx, id)
  if (!item) throw new Error(`the request ${id} of an offer is missing`)
  requireOpen(item, tx.now)
  return item
}

/** Answering an offer marks its notification as read. */
async function markAnswered(tx: Tx, offer: LockedOffer, user: Person): Promise<void> {
  const keys = [`offer_made:${offer.id}`, `offer_countered:${offer.id}`]
  await markNotificationsRead(tx, { keys }, user)
}

async function announceAndNotify(
  tx: Tx,
  event: (...about: Parameters<typeof offerMade>) => NewNotification[],
  id: number,
  by: Person,
) {
  const offer = await announceOffer(tx, id)
  await notify(tx, event(offer, by.id))
  return offer
}

async function announceOffer(tx: Tx, id: number) {
  const row = await queries.findOffer(tx, id)
  const [offer] = await presentOffers(tx, row ? [row] : [])
  if (!offer) throw new Error('the offer that was just written does not exist')
  await announce(tx, [offer.buyerId, offer.sellerId], { about: 'offers' })
  return offer
}
