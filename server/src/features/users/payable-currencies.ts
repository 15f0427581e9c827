import { currencyOfBanks } from '@sought/contract/bank-currencies'
import type { Currency } from '@sought/contract/currencies'
import type { MarketSettings } from '@sought/contract/market-settings'
import { type Encryption, Unreadable } from '../../core/encryption.ts'
import { refuse } from '../../core/errors.ts'
import type { Tx } from '../../database/database.ts'
import { findRow } from '../../database/rows.ts'
import { users } from '../../database/schema.ts'

/**
 * Refuses a currency in which a seller cannot be paid. The provider converts what it pays to a connected account, and
 * an admin pays a bank account in the currency of its country. Sellers who have not set up payouts yet can choose
 * either later. A market with one currency pays everybody in it, and banks abroad convert.
 */
export async function requirePayable(
  tx: Tx,
  encryption: Encryption,
  sellerId: string,
  currency: Currency,
  { currencies }: Pick<MarketSettings, 'currencies'>,
): Promise<void> {
  if (currencies.length === 1) return
  const seller = await findRow(tx, users, { id: sellerId }, ['stripeConnectAccountId', 'bankAccountDetails'])
  if (!seller?.bankAccountDetails || seller.stripeConnectAccountId) return
  const country = await readCountry(encryption, seller.bankAccountDetails, sellerId)
  if (country === null || currencyOfBanks(country) === currency) return
  throw refuse('currency_not_available', {
    message: `Your bank account cannot receive ${currency.toUpperCase()}. Set up a connected account, which receives every currency of this market.`,
  })
}

/** Null for details that cannot be read any more, which the seller has to enter again. */
async function readCountry(encryption: Encryption, sealed: string, owner: string): Promise<string | null> {
  try {
    return JSON.parse(await encryption.open(sealed, owner)).country
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}
