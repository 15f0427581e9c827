import type { SELLER_COUNTRIES } from '@sought/contract/constants'
import type { BankAccount } from '@sought/contract/sellers'
import type { people } from './people.ts'

/** A seller's payout method: a bank account, paid manually, or a connected account in a country. */
export type DemoPayoutSetup = { by: (typeof people)[number]['key']; hoursAgo: number } & (
  | { bank: BankAccount }
  | { connectCountry: (typeof SELLER_COUNTRIES)[number] }
)

/**
 * Tomasz started with bank details and connected an account later, so he has payouts of both kinds. Nadia has sold
 * something and set up nothing, so her payout waits.
 */
export const payoutSetups = [
  {
    by: 'seller',
    hoursAgo: 955,
    bank: {
      account_holder_name: 'Tomasz Wilk',
      country: 'DE',
      iban: 'DE89370400440532013000',
      account_type: 'checking',
      bank_name: 'Commerzbank',
    },
  },
  {
    by: 'liesel',
    hoursAgo: 650,
    bank: {
      account_holder_name: 'Liesel Brandt',
      country: 'DE',
      iban: 'DE75512108001245126199',
      account_type: 'savings',
      bank_name: 'Sparkasse Freiburg',
    },
  },
  { by: 'seller', hoursAgo: 645, connectCountry: 'DE' },
  {
    by: 'helene',
    hoursAgo: 440,
    bank: {
      account_holder_name: 'Hélène Aubry',
      country: 'FR',
      iban: 'FR1420041010050500013M02606',
      account_type: 'checking',
      bank_name: 'La Banque Postale',
    },
  },
  { by: 'admin', hoursAgo: 305, connectCountry: 'GB' },
] as const satisfies readonly DemoPayoutSetup[]
