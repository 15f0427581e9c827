import type { Recipient } from './define-notification.ts'

/* The parties of a deal as recipients. The request is not named, because it is read from the payment. */

export interface Deal {
  id: number
  buyerId: string
  sellerId: string
  amount: number
}

interface Details {
  by?: string
  amount?: number
  /** Distinguishes repeated events of one payment. */
  repeat?: (string | number)[]
}

export type Party = 'buyer' | 'seller'

export function toParty(party: Party, deal: Deal, { by, amount, repeat = [] }: Details = {}): Recipient {
  return {
    to: party === 'buyer' ? deal.buyerId : deal.sellerId,
    about: [deal.id, ...repeat],
    paymentId: deal.id,
    amount: amount ?? deal.amount,
    ...(by && { by }),
  }
}

export const toBuyer = (deal: Deal, details?: Details) => toParty('buyer', deal, details)
export const toSeller = (deal: Deal, details?: Details) => toParty('seller', deal, details)
export const toBoth = (deal: Deal, details?: Details) => [toBuyer(deal, details), toSeller(deal, details)]

export const otherParty = (party: Party) => (party === 'buyer' ? 'seller' : 'buyer')

/** The party that did not cause the event. */
export const toOther = (deal: Deal, by: string, details?: Details) =>
  toParty(by === deal.buyerId ? 'seller' : 'buyer', deal, { ...details, by })
