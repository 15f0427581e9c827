import type { QueryOf } from '@sought/contract/call'
import { type listManualPayouts, type ManualPayout, PAYOUT_UNDO_HOURS } from '@sought/contract/payouts'
import type { BankAccount } from '@sought/contract/sellers'
import { partyIn } from '@sought/escrow/moves'
import { payoutPosting, payoutReversalPosting } from '@sought/escrow/postings'
import { type Encryption, Unreadable } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Database, Db, Tx } from '../../../database/database.ts'
import { announce } from '../../../http/events.ts'
import type { Actor } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser, publicName } from '../../users/public-user.ts'
import { post } from '../ledger/post.ts'
import { sendPayout } from './keep-payout-back.ts'
import type { Payout } from './queries.ts'
import * as queries from './queries.ts'
import { settleDebtsFrom } from './reduce-payout.ts'

type Row = Awaited<ReturnType<typeof queries.findAdminPayouts>>[number]

export { countPayablePayouts, countUnclaimedPayouts } from './queries.ts'

export async function readManualPayouts(
  db: Db,
  encryption: Encryption,
  query: QueryOf<typeof listManualPayouts>,
  now: Date,
) {
  const { status } = query
  const shown = await present(db, encryption, await queries.findAdminPayouts(db, query, now), now)
  return status === 'unclaimed' ? shown.map((payout) => ({ ...payout, status })) : shown
}

async function present(db: Db, encryption: Encryption, rows: Row[], now: Date) {
  const steps = await queries.findPayoutSteps(
    db,
    rows.map(({ payout }) => payout.id),
  )
  return Promise.all(
    rows.map(async ({ payout, seller, waitUntil, itemTitle, currency, transactionNumber }) => ({
      ...payout,
      amount: queries.dueCents(payout),
      ...statusOf(payout),
      transactionNumber,
      itemTitle,
      currency,
      seller: asPublicUser(seller),
      ...waitOf(payout, waitUntil, now),
      ...(await describeBank(encryption, seller)),
      steps: steps
        .filter(({ step }) => step.payoutId === payout.id)
        .map(({ step, admin }) => ({ ...step, actor: publicName(admin) })),
    })),
  )
}

function waitOf({ status }: Payout, waitUntil: Date | null, now: Date) {
  return status === 'owed' && waitUntil && waitUntil > now ? { waitsUntil: waitUntil } : {}
}

function statusOf({ status, bankFailure }: Payout): Pick<ManualPayout, 'status' | 'failure'> {
  if (status === 'paid' && bankFailure) return { status: 'failed', failure: bankFailure }
  return { status: status === 'paid' || status === 'reversed' ? status : 'owed' }
}

/** Shows enough to recognise the account. The full number stays encrypted until an admin looks it up (ADR 34). */
export async function describeBank(
  encryption: Encryption,
  seller: { id: string; bankAccountDetails: string | null },
) {
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

/**
 * Returns the full bank account. From then on, the amount of the payout stays. The look-up is recorded in the same
 * transaction.
 */
export async function lookUpBank({ transact }: Database, encryption: Encryption, id: number, admin: Actor) {
  // In its own transaction, because the look-up is refused if nothing is left.
  await transact((tx) => settleDebts(tx, id, admin))
  return transact(async (tx) => {
    const payout = await lockManualPayout(tx, id, 'owed', admin)
    await refuseIfWaiting(tx, payout)
    const { sellerId } = payout
    const encrypted = await queries.findEncryptedBankDetails(tx, sellerId)
    if (!encrypted) throw refuse('no_bank_details')
    const details = await decryptDetails(encryption, encrypted, sellerId)
    await queries.insertPayoutStep(tx, {
      payoutId: id,
      action: 'looked_up',
      adminId: admin.id,
      reference: null,
    })
    await recordAudit(tx, {
      action: 'bank_account_viewed',
      ...by(admin),
      subjectId: sellerId,
      details: { payoutId: id },
    })
    return details
  })
}

/** An admin who has looked up the bank account may have paid already, so the amount no longer changes. */
async function settleDebts(tx: Tx, id: number, admin: Actor): Promise<void> {
  const payout = await lockManualPayout(tx, id, 'owed', admin)
  await refuseIfWaiting(tx, payout)
  if (!(await queries.hasLookUp(tx, id))) await settleDebtsFrom(tx, payout)
}

export function markPaid(
  { transact }: Database,
  encryption: Encryption,
  id: number,
  reference: string,
  admin: Actor,
) {
  return transact(async (tx) => {
    const payout = await lockManualPayout(tx, id, 'owed', admin)
    await refuseIfWaiting(tx, payout)
    await queries.updatePayout(tx, id, { status: 'paid', paidAt: tx.now, reversedCents: 0 })
    await post(tx, payoutPosting({ ...payout, amount: queries.dueCents(payout) }))
    await queries.insertPayoutStep(tx, { payoutId: id, action: 'marked_paid', adminId: admin.id, reference })
    await recordAudit(tx, {
      action: 'payout_marked_paid',
      ...by(admin),
      subjectId: payout.sellerId,
      details: { payoutId: id },
    })
    return announceChange(tx, encryption, payout)
  })
}

/** Reverses a payout that was marked paid by mistake. Ledger and steps are appended to, never changed. */
export function undoPaid({ transact }: Database, encryption: Encryption, id: number, admin: Actor) {
  return transact(async (tx) => {
    const payout = await lockManualPayout(tx, id, 'paid', admin)
    const paidAt = payout.paidAt?.getTime() ?? 0
    if (tx.now.getTime() - paidAt > PAYOUT_UNDO_HOURS * 3_600_000) throw refuse('undo_too_late')
    const paidCents = await queries.findPaidCents(tx, payout)
    // If an earlier attempt has paid a part, only the rest is owed again. 0 stands for the whole amount.
    const reversedCents = paidCents < payout.amount ? paidCents : 0
    // While a bank decides, the money must not be sent.
    const status = (await queries.hasOpenChargeback(tx, payout.paymentId)) ? 'frozen' : 'owed'
    const attempt = payout.attempt + 1
    await queries.updatePayout(tx, id, { status, paidAt: null, reversedCents, attempt })
    await post(tx, payoutReversalPosting({ ...payout, amount: paidCents }))
    await queries.insertPayoutStep(tx, { payoutId: id, action: 'undone', adminId: admin.id, reference: null })
    await recordAudit(tx, {
      action: 'payout_undone',
      ...by(admin),
      subjectId: payout.sellerId,
      details: { payoutId: id },
    })
    return announceChange(tx, encryption, payout)
  })
}

/** Sends a reversed amount to the seller again, like a new payout. Refused while a bank decides. */
export function sendAgain({ transact }: Database, encryption: Encryption, id: number, admin: Actor) {
  return transact(async (tx) => {
    const payout = await queries.lockPayout(tx, id)
    if (!payout) throw refuse('payout_not_found')
    const payment = await queries.findPaymentOf(tx, payout)
    if (partyIn(payment, admin.id)) throw refuse('not_impartial')
    if (payout.status !== 'reversed') throw refuse('payout_wrong_state')
    if (payment.bankDecides) throw refuse('bank_decides')
    const { attempt } = payout
    await queries.updatePayout(tx, id, {
      paidAt: null,
      destination: null,
      providerId: null,
      attempt: attempt + 1,
    })
    await sendPayout(tx, payout)
    await queries.insertPayoutStep(tx, {
      payoutId: id,
      action: 'sent_again',
      adminId: admin.id,
      reference: null,
    })
    await recordAudit(tx, {
      action: 'payout_sent_again',
      ...by(admin),
      subjectId: payout.sellerId,
      details: { payoutId: id },
    })
    return announceChange(tx, encryption, payout)
  })
}

async function lockManualPayout(tx: Tx, id: number, status: Payout['status'], admin: Actor): Promise<Payout> {
  const payout = await queries.lockPayout(tx, id)
  if (payout?.method !== 'manual') throw refuse('payout_not_found')
  const payment = await queries.findPaymentOf(tx, payout)
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  if (payout.status === status) return payout
  throw refuse(payout.status === 'frozen' && payment.bankDecides ? 'bank_decides' : 'payout_wrong_state')
}

async function refuseIfWaiting(tx: Tx, payout: Payout): Promise<void> {
  const { waitUntil } = await queries.findPayoutTarget(tx, payout)
  if (waitUntil && waitUntil > tx.now) throw refuse('payout_waits')
}

async function announceChange(tx: Tx, encryption: Encryption, { id, sellerId }: Payout) {
  await announce(tx, [sellerId], { about: 'payments' })
  const [shown] = await present(
    tx,
    encryption,
    await queries.findAdminPayouts(tx, { id, limit: 1 }, tx.now),
    tx.now,
  )
  if (!shown) throw new Error('the updated payout is missing')
  return shown
}
