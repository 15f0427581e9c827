import type { QueryOf } from '@sought/contract/call'
import type { BankAccount, listPayouts } from '@sought/contract/sellers'
import { by, recordAudit } from '../../platform/audit.ts'
import type { Database, Db } from '../../platform/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Actor, User } from '../../platform/session.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { findPayoutMethods, findPayouts, updatePayoutMethods } from './queries.ts'

type Seller = Pick<User, 'id'>

/** Only the holder's name and the last four digits ever leave the server again (ADR 34). */
export async function readBankStatus(db: Db, encryption: Encryption, seller: Seller) {
  const { encryptedDetails } = await findPayoutMethods(db, seller.id)
  if (!encryptedDetails) return { hasBankAccount: false, bankDetails: null }
  const details: BankAccount = JSON.parse(await encryption.open(encryptedDetails, seller.id))
  const { account_holder_name, account_number, iban } = details
  const account_number_last4 = (account_number || iban || '').slice(-4)
  return { hasBankAccount: true, bankDetails: { account_holder_name, account_number_last4 } }
}

/** Replaces the seller's bank details, then retries unpaid payouts, which may now have a payout method. */
export async function saveBankDetails(
  { transact }: Database,
  encryption: Encryption,
  details: BankAccount,
  seller: Pick<Actor, 'id' | 'origin'>,
) {
  const bankAccountDetails = await encryption.seal(JSON.stringify(details), seller.id)
  await transact(async (tx) => {
    await updatePayoutMethods(tx, seller.id, { bankAccountDetails })
    await enqueueSellerPayouts(tx, seller.id)
    await recordAudit(tx, { action: 'bank_account_saved', ...by(seller) })
  })
  return { ok: true as const }
}

export function listPayoutsOf(db: Db, seller: Seller, query: QueryOf<typeof listPayouts>) {
  return findPayouts(db, seller.id, query)
}
