/** The provider's codes for failed and refused refunds, in words for admins. */
const reasons: Record<string, string> = {
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was cancelled.',
  charge_for_pending_refund_disputed: 'The buyer’s bank disputed the payment first.',
  insufficient_funds: 'There was not enough money in our balance.',
  balance_insufficient: 'There was not enough money in our balance.',
  declined: 'The buyer’s bank declined it.',
  merchant_request: 'It was cancelled at our request.',
  charge_disputed: 'The buyer’s bank has already taken the payment back.',
  charge_already_refunded: 'The payment was already refunded.',
}

/** Unknown codes are shown unchanged. */
export function describeReason(reason: string | null): string {
  if (reason === null || reason === 'unknown') return 'The card provider gave no reason.'
  return reasons[reason] ?? `The card provider says: ${reason}.`
}
