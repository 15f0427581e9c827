import { payoutPosting } from '@sought/escrow/postings'
import type { Database, Tx } from '../../../database/database.ts'
import { findSettings, withDefaults } from '../../../database/market-settings.ts'
import type { payments } from '../../../database/schema.ts'
import { announce } from '../../../http/events.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { enqueueAll } from '../../../runtime/jobs.ts'
import type { Services } from '../../../services.ts'
import { bookConversion, post } from '../ledger/post.ts'
import * as queries from './queries.ts'
import { settleDebtsFrom } from './reduce-payout.ts'

const RETRY_BATCH = 100

type Deal = Pick<typeof payments.$inferSelect, 'id' | 'sellerId' | 'currency'>

/**
 * Creates the payouts of released payments and enqueues their jobs. If the fees use up the amount, there is
 * no payout.
 */
export async function createPayouts(tx: Tx, owed: { payment: Deal; payoutCents: number }[]): Promise<void> {
  const rows = owed
    .filter(({ payoutCents }) => payoutCents > 0)
    .map(({ payment, payoutCents }) => ({
      paymentId: payment.id,
      sellerId: payment.sellerId,
      amount: payoutCents,
      currency: payment.currency,
    }))
  await enqueuePayouts(tx, await queries.insertPayouts(tx, rows))
}

export const enqueuePayouts = (tx: Tx, payouts: { id: number }[]) =>
  enqueueAll(
    tx,
    'pay-seller',
    payouts.map(({ id }) => ({ payload: { payoutId: id }, key: `pay-seller:${id}` })),
  )

/** Attempts a seller's unpaid payouts now, because they have set up a payout method. */
export async function enqueueSellerPayouts(tx: Tx, sellerId: string): Promise<void> {
  await enqueuePayouts(tx, await queries.makeUnpaidDue(tx, sellerId))
}

/** Has a new debt of the seller taken from payouts that admins already see. */
export async function enqueueOwedPayouts(tx: Tx, sellerId: string): Promise<void> {
  await enqueuePayouts(tx, await queries.findOwed(tx, sellerId))
}

/** Retries payouts whose job failed or whose seller's account was not ready. */
export async function retryPayouts({ database, config }: Services): Promise<void> {
  await database.transact(async (tx) => {
    await enqueuePayouts(tx, await queries.claimUnpaidPayouts(tx, config.escrowSweepSeconds, RETRY_BATCH))
  })
}

/**
 * Pays one payout: by transfer if the seller's connected account can receive money, manually by an admin if
 * there are bank details, or later if there is neither. Method and destination are saved before the transfer,
 * so that a retry can only repeat an interrupted transfer, never send the money elsewhere. Transfers wait
 * after a change of the payout account (ADR 43), and for new sellers, buyers and cards if the operator wants it (ADR
 * 90). The seller's debts are taken from the payout first.
 */
export async function paySeller(services: Services, payoutId: number): Promise<void> {
  const { cards, database, log } = services
  const payout = await database.transact(async (tx) => queries.findPayout(tx, payoutId))
  if (!payout || !cards || !isToBeSent(payout)) return
  const claimed = payout.status === 'sending' ? payout : await chooseMethod(services, cards, payout)
  if (claimed?.status !== 'sending') return
  try {
    const sent = await transfer(cards, claimed)
    await database.transact((tx) => markPaid(tx, payoutId, sent))
  } catch (error) {
    if (!(error instanceof ProviderFailed && error.outcome === 'refused')) throw error
    log.warn({ err: error, payoutId }, 'the provider refused a transfer, the payout is owed again')
    await database.transact((tx) => resetToOwed(tx, claimed))
  }
}

/** Null unless the payout is still to be sent. */
export async function findPayoutToSend({ transact }: Database, id: number): Promise<PayoutToSend | null> {
  const payout = await transact((tx) => queries.findPayout(tx, id))
  return payout && isToBeSent(payout) ? payout : null
}

const isToBeSent = ({ status }: PayoutToSend) => status === 'owed' || status === 'sending'

type Sent = Awaited<ReturnType<CardProvider['transfer']>>

type PayoutToSend = NonNullable<Awaited<ReturnType<typeof queries.findPayout>>>

async function chooseMethod({ database, config }: Services, cards: CardProvider, payout: PayoutToSend) {
  const { accountId, sellerId } = payout
  const account = accountId ? await cards.readAccount(accountId) : null
  // All payouts pass here before they are sent or shown to admins. Uses its own transaction, because other code
  // locks the user first.
  await database.transact(async (tx) => {
    const { newSellerPayoutDelayDays } = withDefaults(await findSettings(tx), config.settingDefaults)
    await queries.delayNewSeller(tx, sellerId, newSellerPayoutDelayDays)
  })
  await database.transact(async (tx) => {
    const locked = await queries.lockPayout(tx, payout.id)
    if (locked?.status !== 'owed' || (await queries.hasOpenChargeback(tx, locked.paymentId))) return
    // An admin who has looked up the bank details may already have sent the money without marking it yet.
    if (locked.method === 'manual' && (await queries.hasLookUp(tx, payout.id))) return
    // The account may have changed while the provider was asked.
    const target = await queries.findPayoutTarget(tx, payout)
    if (target.accountId !== accountId) return
    const { waitUntil } = target
    const waits = waitUntil !== null && waitUntil > tx.now
    if (waits) await queries.updatePayout(tx, payout.id, { tryAt: waitUntil })
    const isTransfer = account?.canReceive ?? false
    if (isTransfer ? waits : !payout.hasBankDetails) return
    // While it waits, the database refuses to close a payout whose rest was paid before.
    const isKept = waits && locked.reversedCents > 0
    const isLeft = isKept || (await settleDebtsFrom(tx, locked))
    if (isLeft)
      await queries.updatePayout(
        tx,
        payout.id,
        isTransfer ? { status: 'sending', method: 'transfer', destination: accountId } : { method: 'manual' },
      )
    await announce(tx, [payout.sellerId], { about: 'payments' })
  })
  return database.transact(async (tx) => queries.findPayout(tx, payout.id))
}

function transfer(cards: CardProvider, payout: PayoutToSend): Promise<Sent> {
  const { id, paymentId, intentId, destination, currency, createdAt, attempt } = payout
  if (!destination || !intentId) throw new Error(`payout ${id} has no destination or intent`)
  return cards.transfer({
    payoutId: id,
    paymentId,
    intentId,
    accountId: destination,
    amountCents: queries.dueCents(payout),
    currency,
    isRepeated: payout.reversedCents > 0,
    keptCents: payout.amount - queries.dueCents(payout),
    createdAt,
    attempt,
  })
}

async function markPaid(tx: Tx, payoutId: number, { id: providerId, conversion }: Sent): Promise<void> {
  const payout = await queries.lockPayout(tx, payoutId)
  if (payout?.status !== 'sending') return
  await queries.updatePayout(tx, payoutId, {
    status: 'paid',
    paidAt: tx.now,
    providerId,
    reversedCents: 0,
    bankFailure: null,
  })
  await post(tx, payoutPosting({ ...payout, amount: queries.dueCents(payout) }))
  await bookConversion(tx, { id: payout.paymentId }, conversion)
  await announce(tx, [payout.sellerId], { about: 'payments' })
}

/** The provider definitely sent nothing, so the next attempt uses a new idempotency key. */
async function resetToOwed(tx: Tx, sent: PayoutToSend): Promise<void> {
  const payout = await queries.lockPayout(tx, sent.id)
  if (payout?.status !== 'sending' || payout.attempt !== sent.attempt) return
  await queries.updatePayout(tx, payout.id, {
    status: 'owed',
    method: null,
    destination: null,
    attempt: payout.attempt + 1,
  })
}
