import type { QueryOf } from '@sought/contract/call'
import type { BankAccount, listPayouts } from '@sought/contract/sellers'
import type { Database, Db } from '../../platform/database.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { User } from '../../platform/session.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { findPayoutMethods, findPayouts, updatePayoutMethods } from './queries.ts'

/** Who does something is known by their id alone. */
type Seller = Pick<User, 'id'>

/** The name and the last four digits are all that ever leaves the server again (ADR 34). */
export async function readBankStatus(db: Db, encryption: Encryption, seller: Seller) {
  const { sealedDetails } = await findPayoutMethods(db, seller.id)
  if (!sealedDetails) return { hasBankAccount: false, bankDetails: null }
  const details: BankAccount = JSON.parse(await encryption.open(sealedDetails, seller.id))
  const { account_holder_name, account_number, iban } = details
  const account_number_last4 = (account_number || iban || '').slice(-4)
  return { hasBankAccount: true, bankDetails: { account_holder_name, account_number_last4 } }
}

/** Saves bank details in place of any before, and has what is owed looked at again: there is a way now. */
export async function saveBankDetails(
  { transact }: Database,
  encryption: Encryption,
  details: BankAccount,
  seller: Seller,
) {
  const bankAccountDetails = await encryption.seal(JSON.stringify(details), seller.id)
  await transact(async (tx) => {
    await updatePayoutMethods(tx, seller.id, { bankAccountDetails })
    await enqueueSellerPayouts(tx, seller.id)
  })
  return { ok: true as const }
}

export function listPayoutsOf(db: Db, seller: Seller, query: QueryOf<typeof listPayouts>) {
  return findPayouts(db, seller.id, query)
}
