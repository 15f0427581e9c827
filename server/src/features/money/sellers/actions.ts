import { isDeepStrictEqual } from 'node:util'
import type { QueryOf } from '@sought/contract/call'
import type { BankAccount, listPayouts } from '@sought/contract/sellers'
import { type Encryption, Unreadable } from '../../../core/encryption.ts'
import type { Database, Db } from '../../../database/database.ts'
import type { Actor, User } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { changePayoutMethod } from './change-payout-method.ts'
import * as queries from './queries.ts'

type Seller = Pick<User, 'id'>

/** Returns only the holder's name and the last four digits. The full details are never sent back (ADR 34). */
export async function readBankStatus(db: Db, encryption: Encryption, seller: Seller, now: Date) {
  const { encryptedDetails, waitUntil, delayedUntil } = await queries.findPayoutMethods(db, seller.id)
  const waits = {
    ...(waitUntil && waitUntil > now && { payoutsWaitUntil: waitUntil }),
    ...(delayedUntil && delayedUntil > now && { payoutsDelayedUntil: delayedUntil }),
  }
  if (!encryptedDetails) return { hasBankAccount: false, bankDetails: null, ...waits }
  const details: BankAccount = JSON.parse(await encryption.open(encryptedDetails, seller.id))
  const { account_holder_name, account_number, iban } = details
  const account_number_last4 = (account_number || iban || '').slice(-4)
  return {
    hasBankAccount: true,
    bankDetails: { account_holder_name, account_number_last4 },
    ...waits,
  }
}

/**
 * Replaces the seller's bank details, then retries unpaid payouts, which may now have a payout method. Saving the
 * same details again changes nothing.
 */
export async function saveBankDetails(
  { transact }: Database,
  encryption: Encryption,
  details: BankAccount,
  seller: Pick<Actor, 'id' | 'origin'>,
) {
  const bankAccountDetails = await encryption.seal(JSON.stringify(details), seller.id)
  const bankAccountHash = await hashBankAccount(encryption, details)
  await transact(async (tx) => {
    await changePayoutMethod(tx, seller.id, async ({ encryptedDetails }) =>
      encryptedDetails && (await holdsDetails(encryption, encryptedDetails, details, seller))
        ? null
        : { bankAccountDetails, bankAccountHash },
    )
    await enqueueSellerPayouts(tx, seller.id)
    await recordAudit(tx, { action: 'bank_account_saved', ...by(seller) })
  })
  return { ok: true as const }
}

/** The same hash for everybody who enters this account, whatever the name of its holder (ADR 80). */
export function hashBankAccount(encryption: Encryption, details: BankAccount): Promise<string> {
  const { country, iban, account_number, sort_code, bsb_code, routing_number, swift_code } = details
  const bank = sort_code || bsb_code || routing_number || swift_code || ''
  const account = iban ? [iban] : [country, bank, account_number ?? '']
  return encryption.hash(`bank-account:${account.join(':')}`)
}

async function holdsDetails(encryption: Encryption, encrypted: string, details: BankAccount, seller: Seller) {
  try {
    return isDeepStrictEqual(JSON.parse(await encryption.open(encrypted, seller.id)), details)
  } catch (error) {
    if (error instanceof Unreadable) return false
    throw error
  }
}

export async function listPayoutsOf(db: Db, seller: Seller, query: QueryOf<typeof listPayouts>, now: Date) {
  const found = await queries.findPayouts(db, seller.id, query)
  return found.map(({ waitUntil, debtAmount, bankFailure, ...payout }) => ({
    ...payout,
    ...(payout.status === 'paid' && bankFailure && { status: 'failed' as const, failure: bankFailure }),
    ...(debtAmount > 0 && { debtAmount }),
    ...(payout.status === 'owed' && waitUntil && waitUntil > now && { waitsUntil: waitUntil }),
  }))
}
