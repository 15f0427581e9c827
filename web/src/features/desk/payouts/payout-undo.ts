import { type ManualPayout, PAYOUT_UNDO_HOURS } from '@sought/contract/payouts'

const HOUR_MS = 3_600_000

/** Whether a payout was marked as paid recently enough to undo it. */
export function canUndo({ paidAt }: Pick<ManualPayout, 'paidAt'>, now: Date): boolean {
  return paidAt !== null && now.getTime() - new Date(paidAt).getTime() <= PAYOUT_UNDO_HOURS * HOUR_MS
}
