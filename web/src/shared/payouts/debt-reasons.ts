import type { DebtReason } from '@sought/escrow/debts'

/** Why a seller owes the market money. */
export const debtReasons: Record<DebtReason, string> = {
  cancellation: 'Card fee of a cancelled deal',
  chargeback: 'Chargeback by the buyer’s bank',
  refund: 'Refund to the buyer',
}
