import type { TrackingStatus } from '@sought/contract/carriers'
import { isInEscrow } from '@sought/escrow/moves'
import type { Tx } from '../../../database/database.ts'
import { applyMove } from '../../money/payments/apply-move.ts'
import { lockPayment, savePayment } from '../../money/payments/stored-payment.ts'
import { notify } from '../../notifications/actions.ts'
import { parcelFailed, parcelReturned } from './notifications.ts'

/**
 * Applies a new carrier report to a payment. Called once for each status, under the locks of the payment and
 * its tracker.
 */
export async function applyTracking(tx: Tx, paymentId: number, status: TrackingStatus): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.shippedAt || payment.deliveredAt || !isInEscrow(payment.status)) return
  switch (status) {
    case 'delivered':
      // In a dispute, the date is evidence. If the dispute is withdrawn, the hold is calculated from it.
      if (payment.status !== 'held_in_escrow') await savePayment(tx, payment, { deliveredAt: tx.now })
      else await applyMove(tx, payment, { name: 'deliver', actor: 'carrier', proof: null })
      return
    case 'return_to_sender':
      return notify(tx, parcelReturned(payment))
    case 'failure':
      return notify(tx, parcelFailed(payment))
    case 'unknown':
    case 'pre_transit':
    case 'in_transit':
    case 'out_for_delivery':
    case 'available_for_pickup':
      return
  }
}
