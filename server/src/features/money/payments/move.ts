import type { Carrier } from '@sought/contract/carriers'
import type { HoldDays } from '@sought/escrow/hold'
import type { Actor } from '@sought/escrow/moves'
import type { Ruling } from '@sought/escrow/rulings'
import type { TimelineEntry } from './dispute-timeline.ts'
import type { Payment } from './queries.ts'

type Party = 'buyer' | 'seller'

/** The seller's shipping details. An earlier photo is kept unless there is a new one. */
export interface Shipment {
  carrier: Carrier
  trackingNumber: string | null
  note: string | null
  photo: string | null
}

/** The time of the charge, and its card. */
type Charge = Pick<Payment, 'chargedAt' | 'cardFingerprint' | 'cardLast4'>

export type Move =
  /** `hold` is the market's current hold period. */
  | { name: 'hold'; actor: 'provider'; charge: Charge; hold: HoldDays }
  /** Another payment has paid for the request. */
  | { name: 'return_duplicate'; actor: 'provider'; charge: Charge }
  | { name: 'ship'; actor: Party; shipment: Shipment }
  | { name: 'deliver'; actor: Party | 'carrier'; proof: string | null }
  /** The seller has entered the buyer's code. */
  | { name: 'hand_over'; actor: Party }
  | { name: 'cancel'; actor: Party | 'clock'; reason: string }
  | { name: 'confirm'; actor: Party }
  | { name: 'lapse'; actor: 'clock' }
  /** The buyer files a dispute, or the provider reports a chargeback, whose timeline entry is added later. */
  | {
      name: 'dispute'
      actor: Party | 'provider'
      changes: Pick<Payment, 'disputeReason' | 'disputeWords' | 'bankDecides'>
      timeline?: TimelineEntry | undefined
    }
  | { name: 'review'; actor: 'admin'; timeline: TimelineEntry<'under_review' | 'request_more_info'> }
  | { name: 'withdraw'; actor: Party; timeline: TimelineEntry }
  | {
      name: Ruling['move']
      actor: Extract<Actor, 'admin' | 'parties'>
      ruling: Ruling
      timeline?: TimelineEntry
    }
  /** The bank has closed a chargeback. */
  | { name: 'resume'; actor: 'provider' }
  /** The buyer has the money back already, and the ledger shows it. */
  | { name: 'reimburse'; actor: 'provider'; cause: 'chargeback' | 'refund' }
