import type { Tx } from '../../platform/database.ts'
import { disputeTimeline } from '../../platform/schema.ts'

/** Everything that can happen to a dispute, by the name that its timeline gives it. */
type NotificationEvent =
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

/** One line of a dispute's story: what, by whom (a person's id, or the provider), and in which words. Gives its id. */
export async function noteInTimeline(
  tx: Tx,
  paymentId: number,
  line: { action: NotificationEvent; actor: string; details?: string | undefined },
): Promise<number> {
  const [noted] = await tx
    .insert(disputeTimeline)
    .values({ ...line, disputeId: paymentId, timestamp: tx.now })
    .returning({ id: disputeTimeline.id })
  if (!noted) throw new Error('insert returned no row')
  return noted.id
}
