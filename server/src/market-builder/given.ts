import type { StaffRole } from '@sought/contract/call'
import { cancelPayment, shipItem } from '@sought/contract/deliveries'
import { initiateDispute, resolveDispute } from '@sought/contract/disputes'
import { acceptOffer, makeOffer, rejectOffer } from '@sought/contract/offers'
import { confirmDelivery, createEscrowPayment, submitPayment } from '@sought/contract/payments'
import { postWantedItem } from '@sought/contract/requests'
import type { DeliveryMethod } from '@sought/escrow/delivery'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import type { Person, SentWith } from './send.ts'

/*
 * People, requests and deals in any state, made through the product's own calls. Each function makes everything that
 * its state needs, except what it is given.
 */

/** Where the calls go, and who makes them. */
export interface Market<P extends Person> {
  /** Adds a person. */
  addPerson(name: string, role?: StaffRole): Promise<P>
  /** Pays with a card that the provider accepts. */
  enterCard(clientSecret: string): Promise<void>
}

export interface Terms<P extends Person = Person> {
  buyer?: P | undefined
  seller?: P | undefined
  /** Rules on disputes. */
  admin?: P | undefined
  /** An earlier request of the buyer. By default, the buyer posts another one. */
  itemId?: number | undefined
  request?: Partial<SentWith<typeof postWantedItem>['body']> | undefined
  amount?: number | undefined
  message?: string | undefined
  delivery?: DeliveryMethod | undefined
  shipWithinDays?: number | undefined
  reason?: string | undefined
}

export interface Posted<P extends Person = Person> {
  buyer: P
  itemId: number
}

export interface Offered<P extends Person = Person> extends Posted<P> {
  seller: P
  offerId: number
  amount: number
  delivery: DeliveryMethod
}

export interface Paid<P extends Person = Person> extends Offered<P> {
  paymentId: number
}

export interface Started<P extends Person = Person> extends Paid<P> {
  clientSecret: string
}

type Ruling = Omit<SentWith<typeof resolveDispute>['body'], 'disputeId'>

export const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

export const ADAS_ADDRESS = {
  name: 'Ada Tester',
  line1: 'Rosenweg 7',
  line2: '',
  city: 'Berlin',
  region: '',
  postalCode: '10115',
  country: 'DE',
}

/** The buyer opens the checkout of an accepted offer. */
export async function startPayment<P extends Person>(deal: Offered<P>): Promise<Started<P>> {
  const { buyer, itemId, offerId, amount, delivery } = deal
  const address = delivery === 'shipping' ? { deliveryAddress: ADAS_ADDRESS } : {}
  const body = { itemId, offerId, amount, ...address }
  const { paymentId, clientSecret } = await buyer.send(createEscrowPayment, { body })
  return { ...deal, paymentId, clientSecret }
}

/** The buyer's browser reports that the card was entered. Then the payment is in escrow. */
export async function submitCard({ buyer, paymentId }: Pick<Paid, 'buyer' | 'paymentId'>): Promise<void> {
  const { status } = await buyer.send(submitPayment, { params: { id: paymentId } })
  if (status !== 'held_in_escrow') throw new Error(`payment ${paymentId} is ${status}`)
}

export type Given<P extends Person = Person> = ReturnType<typeof createGiven<P>>

export function createGiven<P extends Person>(market: Market<P>) {
  const given = {
    async request(terms: Terms<P> = {}): Promise<Posted<P>> {
      const buyer = terms.buyer ?? (await market.addPerson('Ada'))
      if (terms.itemId) return { buyer, itemId: terms.itemId }
      // An offer below 1.00 is allowed only if that is the whole budget.
      const { amount = 100 } = terms
      const maxBudget = amount < 100 ? amount / 100 : 0
      const { id } = await buyer.send(postWantedItem, { body: { ...lamp, maxBudget, ...terms.request } })
      return { buyer, itemId: id }
    },

    async offer(terms: Terms<P> = {}): Promise<Offered<P>> {
      const { amount = 12_000, message, delivery = 'arranged', shipWithinDays } = terms
      const { buyer, itemId } = await given.request({ ...terms, amount })
      const seller = terms.seller ?? (await market.addPerson('Bob'))
      const body = { wantedItemId: itemId, receiverId: buyer.id, amount, message, delivery, shipWithinDays }
      const { id } = await seller.send(makeOffer, { body })
      return { buyer, seller, itemId, offerId: id, amount, delivery }
    },

    /** An accepted offer. */
    async agreement(terms: Terms<P> = {}): Promise<Offered<P>> {
      const deal = await given.offer(terms)
      await deal.buyer.send(acceptOffer, { params: { id: deal.offerId } })
      return deal
    },

    async rejectedOffer(terms: Terms<P> = {}): Promise<Offered<P>> {
      const deal = await given.offer(terms)
      await deal.buyer.send(rejectOffer, { params: { id: deal.offerId } })
      return deal
    },

    /** A payment that the buyer has started. */
    checkout: async (terms: Terms<P> = {}): Promise<Started<P>> => startPayment(await given.agreement(terms)),

    async heldPayment(terms: Terms<P> = {}): Promise<Paid<P>> {
      const { clientSecret, ...deal } = await given.checkout(terms)
      await market.enterCard(clientSecret)
      await submitCard(deal)
      return deal
    },

    /** A parcel on its way. */
    async parcel(terms: Terms<P> = {}): Promise<Paid<P>> {
      const deal = await given.heldPayment({ ...terms, delivery: 'shipping' })
      await deal.seller.send(shipItem, { params: { id: deal.paymentId }, fields: { carrier: 'dhl' } })
      return deal
    },

    async completedDeal(terms: Terms<P> = {}): Promise<Paid<P>> {
      const deal = await given.heldPayment(terms)
      await deal.buyer.send(confirmDelivery, { params: { id: deal.paymentId } })
      return deal
    },

    /** Cancelled by the seller. */
    async cancelledDeal(terms: Terms<P> = {}): Promise<Paid<P>> {
      const deal = await given.heldPayment({ delivery: 'shipping', ...terms })
      await deal.seller.send(cancelPayment, { params: { id: deal.paymentId }, body: { reason: 'Sold' } })
      return deal
    },

    async dispute(terms: Terms<P> = {}): Promise<Paid<P>> {
      const deal = await given.heldPayment(terms)
      const { paymentId } = deal
      await deal.buyer.send(initiateDispute, { body: { paymentId, reason: terms.reason ?? 'Not green' } })
      return deal
    },

    async ruling(terms: Terms<P> & Ruling): Promise<Paid<P> & { admin: P }> {
      const deal = await given.dispute(terms)
      const admin = terms.admin ?? (await market.addPerson('Root', 'admin'))
      const { action, note, refundAmount } = terms
      await admin.send(resolveDispute, {
        params: { id: deal.paymentId },
        body: { action, note, refundAmount },
      })
      return { ...deal, admin }
    },

    /** A payment in any status. */
    payment: ({ status = 'completed', ...terms }: Terms<P> & { status?: PaymentStatus } = {}) =>
      made[status](terms),
  }

  const made: Record<PaymentStatus, (terms: Terms<P>) => Promise<Paid<P>>> = {
    pending: given.checkout,
    held_in_escrow: given.heldPayment,
    completed: given.completedDeal,
    refunded: given.cancelledDeal,
    disputed: given.dispute,
    under_review: (terms) => given.ruling({ ...terms, action: 'under_review' }),
    resolved_buyer: (terms) => given.ruling({ ...terms, action: 'refund_full' }),
    resolved_seller: (terms) => given.ruling({ ...terms, action: 'release_seller' }),
    resolved_partial: (terms) => given.ruling({ ...terms, action: 'split_difference' }),
  }

  return given
}
