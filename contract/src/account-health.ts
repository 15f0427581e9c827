/* What the card provider says about the account of a seller, in words. */

/** Statuses of a payout from the account to the seller's bank. */
export const BANK_PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const
export type BankPayoutStatus = (typeof BANK_PAYOUT_STATUSES)[number]

const failures: Record<string, string> = {
  account_closed: 'The bank account is closed.',
  account_frozen: 'The bank account is frozen.',
  bank_account_restricted: 'The bank account does not accept this kind of payout.',
  bank_ownership_changed:
    'The bank has changed its owner, and the account no longer exists under this number.',
  debit_not_authorized: 'The bank does not allow Stripe to debit the account, which Stripe requires.',
  declined: 'The bank declined the payout.',
  expired_card: 'The debit card has expired.',
  incorrect_account_holder_address: 'The bank has another address for the holder of the account.',
  incorrect_account_holder_name: 'The bank has another name for the holder of the account.',
  incorrect_account_holder_tax_id: 'The bank has another tax number for the holder of the account.',
  incorrect_account_type: 'The bank account is of another kind than the one that was entered.',
  insufficient_funds: 'The account did not have enough money.',
  invalid_account_number: 'The account number is wrong.',
  invalid_account_number_length: 'The account number is too short or too long.',
  invalid_card: 'The debit card is not valid.',
  invalid_currency: 'The bank account does not accept this currency.',
  lost_or_stolen_card: 'The debit card was reported lost or stolen.',
  no_account: 'No bank account with this number exists.',
  refer_to_card_issuer: 'The debit card was declined.',
  unsupported_card: 'The debit card does not accept payouts.',
}

/** Why a bank did not accept a payout. */
export const describePayoutFailure = (failure: string | null): string =>
  failures[failure ?? ''] ?? 'The bank could not process the payout.'

/** Who can enable payouts again. */
export type Disabled = 'by seller' | 'by provider' | 'by operator' | 'never'

/**
 * Whom disabled payouts wait for. The reasons are Stripe's, and those that it adds later wait for the seller, whom it
 * tells what to do.
 */
export function findWhoEnables(disabledReason: string | null): Disabled {
  if (disabledReason?.startsWith('rejected.')) return 'never'
  switch (disabledReason) {
    case 'requirements.pending_verification':
    case 'under_review':
    case 'listed':
      return 'by provider'
    case 'platform_paused':
      return 'by operator'
    default:
      return 'by seller'
  }
}
