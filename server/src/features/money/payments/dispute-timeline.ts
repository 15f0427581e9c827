import type { Tx } from '../../../database/database.ts'
import { disputeTimeline } from '../../../database/schema.ts'

type TimelineAction =
  | 'filed'
  | 'chargeback'
  | 'evidence'
  | 'evidence_sent'
  | 'fraud_warning'
  | 'review'
  | 'suspicion_dismissed'
  | 'answered'
  | 'withdrawn'
  | 'settlement_proposed'
  | 'settled'
  | 'under_review'
  | 'request_more_info'
  | 'refund_full'
  | 'refund_partial'
  | 'release_seller'
  | 'split_difference'

export interface TimelineEntry<Action extends TimelineAction = TimelineAction> {
  action: Action
  /** A user's id, or 'provider'. */
  actor: string
  details?: string | undefined
}

/** Returns the id of the new entry. */
export async function addTimelineEntry(tx: Tx, paymentId: number, entry: TimelineEntry): Promise<number> {
  const [inserted] = await tx
    .insert(disputeTimeline)
    .values({ ...entry, disputeId: paymentId, timestamp: tx.now })
    .returning({ id: disputeTimeline.id })
  if (!inserted) throw new Error('insert returned no row')
  return inserted.id
}
