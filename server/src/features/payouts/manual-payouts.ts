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

/** What admins pay by hand: owed, or paid. */
export async function manualPayouts(
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
    rows.map(async ({ payout, seller, itemTitle }) => ({
      ...payout,
      status: payout.status === 'paid' ? ('paid' as const) : ('owed' as const),
      itemTitle,
      seller: asPublicUser(seller),
      ...(await bankOf(encryption, seller)),
      steps: steps
        .filter(({ step }) => step.payoutId === payout.id)
        .map(({ step, admin }) => ({ ...step, actor: publicName(admin) })),
    })),
  )
}

/** Enough to recognise the account by. Its number stays sealed until an admin looks it up (ADR 34). */
async function bankOf(encryption: Encryption, seller: Row['seller']) {
  const unknown = { accountHolderName: null, accountLast4: null, bankName: null, country: null }
  if (!seller.bankAccountDetails) return unknown
  try {
    const details = await unseal(encryption, seller.bankAccountDetails, seller.id)
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

async function unseal(encryption: Encryption, sealed: string, sellerId: string): Promise<BankAccount> {
  return JSON.parse(await encryption.open(sealed, sellerId))
}

/** The whole account, for whoever makes the transfer. The look is written down before anything is answered. */
export function lookUp({ transact }: Database, encryption: Encryption, id: number, admin: User) {
  return transact(async (tx) => {
    const { sellerId } = await lockManual(tx, id, 'owed', admin)
    const sealed = await findEncryptedBankDetails(tx, sellerId)
    if (!sealed) throw refuse('no_bank_details')
    const details = await unseal(encryption, sealed, sellerId)
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
    const payout = await lockManual(tx, id, 'owed', admin)
    await updatePayout(tx, id, { status: 'paid', paidAt: tx.now })
    await post(tx, payoutPosting(payout))
    await insertPayoutStep(tx, { payoutId: id, action: 'marked_paid', adminId: admin.id, reference })
    return changed(tx, encryption, payout)
  })
}

/** It was not paid after all: the seller is owed it again. What was written down stays, and what undoes it is added. */
export function undoPaid({ transact }: Database, encryption: Encryption, id: number, admin: User) {
  return transact(async (tx) => {
    const payout = await lockManual(tx, id, 'paid', admin)
    const paidAt = payout.paidAt?.getTime() ?? 0
    if (tx.now.getTime() - paidAt > PAYOUT_UNDO_HOURS * 3_600_000) throw refuse('undo_too_late')
    await updatePayout(tx, id, { status: 'owed', paidAt: null, attempt: payout.attempt + 1 })
    await post(tx, payoutReversalPosting(payout))
    await insertPayoutStep(tx, { payoutId: id, action: 'undone', adminId: admin.id, reference: null })
    return changed(tx, encryption, payout)
  })
}

async function lockManual(tx: Tx, id: number, status: Payout['status'], admin: User): Promise<Payout> {
  const payout = await lockPayout(tx, id)
  if (payout?.method !== 'manual') throw refuse('payout_not_found')
  if (partyIn(await findParties(tx, payout.paymentId), admin.id)) throw refuse('not_impartial')
  if (payout.status !== status) throw refuse('payout_wrong_state')
  return payout
}

async function changed(tx: Tx, encryption: Encryption, { id, sellerId }: Payout) {
  await announce(tx, [sellerId], { about: 'payments' })
  const [shown] = await present(tx, encryption, await findManualPayouts(tx, { id, limit: 1 }))
  if (!shown) throw new Error('a payout that was just written is gone')
  return shown
}
