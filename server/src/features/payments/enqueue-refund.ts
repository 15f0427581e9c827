import type { Tx } from '../../platform/database.ts'
import { enqueue } from '../../platform/jobs.ts'

export async function enqueueRefund(tx: Tx, paymentId: number): Promise<void> {
  await enqueue(tx, 'refund-buyer', { paymentId }, `refund-buyer:${paymentId}`)
}
