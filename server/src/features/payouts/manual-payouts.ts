import type { QueryOf } from '@sought/contract/call'
import { type listManualPayouts, PAYOUT_UNDO_HOURS } from '@sought/contract/payouts'
import type { BankAccount } from '@sought/contract/sellers'
import { partyIn } from '@sought/escrow/moves'
import { payoutPosting, payoutReversalPosting } from '@sought/escrow/postings'
import type { Database, Db, Tx } from '../../platform/database.ts'
import { type Encryption, Unreadable } from '../../platform/encryption.ts'
import { refuse } from '../../platform/errors.ts'
import { announce } from '../../platform/events.ts'
import { asPublicUser, publicName } from '../../platform/public-user.ts'
import type { User } from '../../platform/session.ts'
import { post } from '../ledger/post.ts'
import {
  dueCents,
  findEncryptedBankDetails,
  findManualPayouts,
  findParties,
  findPayoutSteps,
  insertPayoutStep,
  lockPayout,
  type Payout,
  updatePayout,
} from './queries.ts'

type Row = Awaited<ReturnType<typeof findManualPayouts>>[number]

export async function readManualPayouts(
  db: Db,
  encryption: Encryption,
  query: QueryOf<typeof listManualPayouts>,
) {
  return present(db, encryption, await findManualPayouts(db, query))
}

async function present(db: Db, encryption: Encryption, rows: Row[]) {
  const steps = await findPayoutSteps(
    db,
    rows.map(({ payout }) => payout.id),
  )
  return Promise.all(
    rows.map(async ({ payout, seller, itemTitle, currency }) => ({
      ...payout,
      status: payout.status === 'paid' ? ('paid' as const) : ('owed' as const),
      itemTitle,
      currency,
      seller: asPublicUser(seller),
      ...(await describeBank(encryption, seller)),
      steps: steps
        .filter(({ step }) => step.payoutId === payout.id)
        .map(({ step, admin }) => ({ ...step, actor: publicName(admin) })),
    })),
  )
}

/** Enough to recognise the account. The full number stays encrypted until an admin looks it up (ADR 34). */
async function describeBank(encryption: Encryption, seller: Row['seller']) {
  const unknown = { accountHolderName: null, accountLast4: null, bankName: null, country: null }
  if (!seller.bankAccountDetails) return unknown
  try {
    const details = await decryptDetails(encryption, seller.bankAccountDetails, seller.id)
    return {
      accountHolderName: details.account_holder_name,
      accountLast4: (details.account_number || details.iban || '').slice(-4),
      bankName: details.bank_name || null,
      country: details.country,
    }
  } catch (error) {
    if (error instanceof Unreadable) return unknown
    throw error
  }
}

async function decryptDetails(
  encryption: Encryption,
  encrypted: string,
  sellerId: string,
): Promise<BankAccount> {
  return JSON.parse(await encryption.open(encrypted, sellerId))
}

/** Returns the full bank account. The look-up is recorded in the same transaction. */
export function lookUpBank({ transact }: Database, encryption: Encryption, id: number, admin: User) {
  return transact(async (tx) => {
    const { sellerId } = await lockManualPayout(tx, id, 'owed', admin)
    const encrypted = await findEncryptedBankDetails(tx, sellerId)
    if (!encrypted) throw refuse('no_bank_details')
    const details = await decryptDetails(encryption, encrypted, sellerId)
    await insertPayoutStep(tx, { payoutId: id, action: 'looked_up', adminId: admin.id, reference: null })
    return details
  })
}

export function markPaid(
  { transact }: Database,
  encryption: Encryption,
  id: number,
  reference: string,
  admin: User,
) {
  return transact(async (tx) => {
    const payout = await lockManualPayout(tx, id, 'owed', admin)
    await updatePayout(tx, id, { status: 'paid', paidAt: tx.now })
    await post(tx, payoutPosting({ ...payout, amount: dueCents(payout) }))
    await insertPayoutStep(tx, { payoutId: id, action: 'marked_paid', adminId: admin.id, reference })
    return announceChange(tx, encryption, payout)
  })
}

/** Reverses a payout that was marked paid by mistake. Ledger and steps are appended to, never changed. */
export function undoPaid({ transact }: Database, encryption: Encryption, id: number, admin: User) {
  return transact(async (tx) => {
    const payout = await lockManualPayout(tx, id, 'paid', admin)
    const paidAt = payout.paidAt?.getTime() ?? 0
    if (tx.now.getTime() - paidAt > PAYOUT_UNDO_HOURS * 3_600_000) throw refuse('undo_too_late')
    await updatePayout(tx, id, { status: 'owed', paidAt: null, attempt: payout.attempt + 1 })
    await post(tx, payoutReversalPosting({ ...payout, amount: dueCents(payout) }))
    await insertPayoutStep(tx, { payoutId: id, action: 'undone', adminId: admin.id, reference: null })
    return announceChange(tx, encryption, payout)
  })
}

async function lockManualPayout(tx: Tx, id: number, status: Payout['status'], admin: User): Promise<Payout> {
  const payout = await lockPayout(tx, id)
  if (payout?.method !== 'manual') throw refuse('payout_not_found')
  if (partyIn(await findParties(tx, payout.paymentId), admin.id)) throw refuse('not_impartial')
  if (payout.status !== status) throw refuse('payout_wrong_state')
  return payout
}

async function announceChange(tx: Tx, encryption: Encryption, { id, sellerId }: Payout) {
  await announce(tx, [sellerId], { about: 'payments' })
  const [shown] = await present(tx, encryption, await findManualPayouts(tx, { id, limit: 1 }))
  if (!shown) throw new Error('the updated payout is missing')
  return shown
}
