import type { Tx } from '../../../database/database.ts'
import { enqueue } from '../../../runtime/jobs.ts'

export async function enqueueRefund(tx: Tx, paymentId: number): Promise<void> {
  await enqueue(tx, 'refund-buyer', { paymentId }, `refund-buyer:${paymentId}`)
}
