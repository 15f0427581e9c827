import type { BodyOf } from '@sought/contract/call'
import { OFFER_EXPIRY_DAYS } from '@sought/contract/constants'
import type { counterOffer, makeOffer } from '@sought/contract/offers'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import { asPublicUser } from '../../platform/public-user.ts'
import type { User } from '../../platform/session.ts'
import { areActive, lockActiveUser } from '../accounts/active-users.ts'
import { notify } from '../notifications/actions.ts'
import { offerNotification } from '../notifications/build-notifications.ts'
import {
  findOffer,
  findOffersOf,
  insertOffer,
  lockItemShared,
  lockOffer,
  updateOffer,
  withdrawSiblings,
} from './queries.ts'

const DAY_MS = 86_400_000
const LEAST_CENTS = 100

/** Who does something is known by their id alone. */
type Person = Pick<User, 'id'>
type Row = NonNullable<Awaited<ReturnType<typeof findOffer>>>
type LockedOffer = NonNullable<Awaited<ReturnType<typeof lockOffer>>>

const asOffer = ({ offer, buyer, seller }: Row) => ({
  ...offer,
  buyer: asPublicUser(buyer),
  seller: asPublicUser(seller),
})

export async function offersOf(db: Db, user: Person) {
  const found = await findOffersOf(db, user.id)
  return found.map(asOffer)
}

export async function make(tx: Tx, body: BodyOf<typeof makeOffer>, seller: Person) {
  const item = await lockItemShared(tx, body.wantedItemId)
  if (!item) throw refuse('item_not_found')
  if (item.userId === seller.id) throw refuse('own_item')
  if (item.userId !== body.receiverId) throw refuse('conversation_not_allowed')
  if (item.status !== 'open') throw refuse('item_not_open')
  checkRange(body.amount, item.maxBudget)
  await lockActiveUser(tx, seller.id)
  if (!(await areActive(tx, [item.userId]))) throw refuse('item_not_open')
  const id = await insertOffer(tx, {
    wantedItemId: item.id,
    buyerId: item.userId,
    sellerId: seller.id,
    amount: body.amount,
    message: body.message || null,
    expiresAt: expiry(tx.now),
  })
  return told(tx, 'offer_made', id, seller)
}

/** The slider's range: from 1 to the budget; an open budget has no end (ADR 21). */
function checkRange(amountCents: number, maxBudget: number): void {
  const mostCents = maxBudget === 0 ? Number.POSITIVE_INFINITY : Math.round(maxBudget * 100)
  if (amountCents < Math.min(LEAST_CENTS, mostCents) || amountCents > mostCents) {
    throw refuse('offer_out_of_range')
  }
}

const expiry = (now: Date) => new Date(now.getTime() + OFFER_EXPIRY_DAYS * DAY_MS)

/** The buyer answers an offer, the seller a counter-offer. */
export async function accept(tx: Tx, id: number, user: Person) {
  const offer = await lockPending(tx, id, user, answererOf)
  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')
  const item = await lockOpenItem(tx, offer.wantedItemId)
  // The budget may have been lowered since the offer was made.
  checkRange(offer.amount, item.maxBudget)
  await updateOffer(tx, id, { status: 'accepted', acceptedAt: tx.now })
  await withdrawSiblings(tx, offer)
  return told(tx, 'offer_accepted', id, user)
}

export async function reject(tx: Tx, id: number, user: Person) {
  await lockPending(tx, id, user, answererOf)
  await updateOffer(tx, id, { status: 'rejected', rejectedAt: tx.now })
  return told(tx, 'offer_rejected', id, user)
}

export async function withdraw(tx: Tx, id: number, user: Person) {
  await lockPending(tx, id, user, proposerOf)
  await updateOffer(tx, id, { status: 'withdrawn', withdrawnAt: tx.now })
  return announced(tx, id)
}

/** The buyer names another amount. The offer stands; a counter-offer that the buyer made before does not. */
export async function counter(tx: Tx, id: number, body: BodyOf<typeof counterOffer>, buyer: Person) {
  const offer = await lockPending(tx, id, buyer, countererOf)
  if (offer.expiresAt <= tx.now) throw refuse('offer_expired')
  const item = await lockOpenItem(tx, offer.wantedItemId)
  checkRange(body.amount, item.maxBudget)
  await lockActiveUser(tx, buyer.id)
  await withdrawSiblings(tx, offer, 'buyer')
  const counterId = await insertOffer(tx, {
    wantedItemId: offer.wantedItemId,
    buyerId: offer.buyerId,
    sellerId: offer.sellerId,
    amount: body.amount,
    message: body.message || null,
    proposedBy: 'buyer',
    counterOf: offer.id,
    expiresAt: expiry(tx.now),
  })
  return told(tx, 'offer_countered', counterId, buyer)
}

const proposerOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.sellerId : offer.buyerId)
const answererOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.buyerId : offer.sellerId)
/** A counter-offer answers a seller's offer, and is not countered itself. */
const countererOf = (offer: LockedOffer) => (offer.proposedBy === 'seller' ? offer.buyerId : null)

/** Whom an offer does not concern is not told that it exists. */
async function lockPending(
  tx: Tx,
  id: number,
  user: Person,
  whoMay: (offer: LockedOffer) => string | null,
): Promise<LockedOffer> {
  const offer = await lockOffer(tx, id)
  if (!offer || ![offer.buyerId, offer.sellerId].includes(user.id)) throw refuse('offer_not_found')
  if (whoMay(offer) !== user.id) throw refuse('not_your_offer')
  if (offer.status !== 'pending') throw refuse('offer_not_pending')
  return offer
}

/** Nothing is agreed on a request that its owner has closed, or that was met by another. */
async function lockOpenItem(tx: Tx, id: number) {
  const item = await lockItemShared(tx, id)
  if (item?.status !== 'open') throw refuse('item_not_open')
  return item
}

/** The same, and the other side is told of it. */
async function told(tx: Tx, what: Parameters<typeof offerNotification>[0], id: number, by: Person) {
  const offer = await announced(tx, id)
  await notify(tx, [offerNotification(what, offer, by.id)])
  return offer
}

async function announced(tx: Tx, id: number) {
  const row = await findOffer(tx, id)
  if (!row) throw new Error('an offer that was just written is gone')
  await announce(tx, [row.offer.buyerId, row.offer.sellerId], { about: 'offers' })
  return asOffer(row)
}
