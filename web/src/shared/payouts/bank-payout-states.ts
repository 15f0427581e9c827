import type { BankPayoutStatus } from '@sought/contract/account-health'

/** The state of a payout to a seller's bank. Its arrival date follows. */
export const bankPayoutStates: Record<BankPayoutStatus, string> = {
  pending: 'expected on',
  in_transit: 'expected on',
  paid: 'arrived on',
  failed: 'failed at the bank on',
  canceled: 'cancelled, was expected on',
}
