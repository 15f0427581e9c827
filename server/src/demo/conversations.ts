import type { BodyOf } from '@sought/contract/call'
import type { Carrier } from '@sought/contract/carriers'
import type { resolveDispute } from '@sought/contract/disputes'
import type { ReviewTag } from '@sought/contract/reviews'
import type { DeliveryMethod } from '@sought/escrow/delivery'
import data from './conversations.json' with { type: 'json' }
import type { people } from './people.ts'

type PersonKey = (typeof people)[number]['key']

/**
 * With 'unapproved', the bank still waits for the buyer to approve the payment. Nobody uses another person's card,
 * because accounts that share one are related (ADR 80).
 */
export type DemoCard =
  | 'visa'
  | 'mastercard'
  | 'unapproved'
  | 'mastercard_series'
  | 'diners'
  | 'discover'
  | 'discover_alternate'
  | 'jcb'
  | 'mastercard_debit'
  | 'unionpay'
  | 'visa_alternate'
  | 'visa_debit'

/** The delivery address without a name, because the parcel is addressed to the buyer. */
interface DemoAddress {
  line1: string
  city: string
  region?: string
  postalCode: string
  country: string
}

/** File names in pictures/. */
interface WithPhotos {
  photos?: readonly string[]
}

/** One step of a conversation. Talk steps also mark earlier messages as read. */
export type DemoStep = { by: PersonKey; hoursAgo: number } & (
  | ({ does: 'say'; words: string } & WithPhotos)
  | ({ does: 'offer'; amountCents: number; words?: string; delivery?: DeliveryMethod } & WithPhotos)
  | ({ does: 'counter'; amountCents: number; words?: string } & WithPhotos)
  /** Answers the latest offer. */
  | { does: 'accept' | 'reject' | 'withdraw' }
  | { does: 'read' }
  /** Pays the latest offer by card. Later steps are about this payment. */
  | { does: 'pay'; card?: DemoCard; address?: DemoAddress }
  | { does: 'ship'; carrier: Carrier; trackingNumber: string; words?: string }
  /** The seller reports the delivery, as shown on the carrier's page. */
  | { does: 'deliver' }
  | { does: 'cancel'; words: string }
  | { does: 'confirm' }
  | { does: 'review'; stars: 1 | 2 | 3 | 4 | 5; tags?: ReviewTag[]; words?: string }
  | { does: 'dispute'; words: string }
  /** The buyer's bank asks for the money back. */
  | { does: 'charge-back' }
  | { does: 'state'; words: string }
  /** Adds a photo as evidence. `picture` names a file in pictures/evidence. */
  | { does: 'show'; picture: string; fileName: string; words: string }
  | { does: 'propose'; refundCents: number }
  | { does: 'rule'; action: BodyOf<typeof resolveDispute>['action']; words: string; refundCents?: number }
  /** An admin takes over the dispute. */
  | { does: 'take-over' }
  /** A note for other admins only. */
  | { does: 'note'; words: string }
  | { does: 'appeal'; words: string }
  /** An admin gives the buyer money of the platform. */
  | { does: 'give-goodwill'; amountCents: number; words: string }
  /** The two steps of an admin who pays the payout manually. */
  | { does: 'look-up-account' }
  | { does: 'mark-paid'; reference: string }
)

/** The steps between the owner of a request and another person, earliest first. */
export type DemoConversation = {
  /** What this conversation demonstrates. Users do not see it. */
  shows?: string
  /** The key of a request. */
  about: string
  with: PersonKey
  steps: readonly DemoStep[]
}

/**
 * Conversations without a payment. Together they show every state of an offer, read and unread. The accepted offer
 * waits for its payment.
 */
export const conversations = data as readonly DemoConversation[]
