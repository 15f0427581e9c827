import type { Tx } from '../../platform/database.ts'
import { disputeTimeline } from '../../platform/schema.ts'

/** Everything that can happen to a dispute, by the name that its timeline gives it. */
type Happening =
  | 'filed'
  | 'chargeback'
  | 'evidence'
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

/** One line of a dispute's story: what, by whom (a person's id, or the provider), and in which words. */
export async function noteInTimeline(
  tx: Tx,
  paymentId: number,
  line: { action: Happening; actor: string; details?: string | undefined },
): Promise<void> {
  await tx.insert(disputeTimeline).values({ ...line, disputeId: paymentId, timestamp: tx.now })
}
