import { setTimeout as wait } from 'node:timers/promises'
import { partyIn } from '@sought/escrow/moves'
import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import type { User } from '../../platform/session.ts'
import { type CardProvider, type Intent, ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { areActive } from '../accounts/active-users.ts'
import { holdIfPaid } from './hold-payment.ts'
import {
  countIntentAttempt,
  deletePaymentWithoutIntent,
  findAcceptedOffers,
  findOrInsertPayment,
  itemExists,
  lockOffer,
  type Payment,
  setIntent,
} from './queries.ts'

const BUSY_TRIES = 5
const BUSY_WAIT_MS = 200

interface Terms {
  itemId: number
  /** Without an offer it is the buyer's accepted one for that item and amount. */
  offerId?: number
  amount: number
}

/**
 * Starts the payment of an accepted offer, or finds the one that was started. Three steps, and a crash
 * between any two is mended by calling again: the payment is written down, the provider makes its
 * intent under a key of the payment's, the intent is written down. No transaction waits for the provider.
 */
export async function startPayment(services: Services, terms: Terms, buyer: User) {
  const { database, config, log } = services
  const { payment, intent } = await findOrMake(services, terms, buyer)
  const found = await database.transact(async (tx) => {
    // One of the two may have left meanwhile: an intent that is handed to nobody cannot be paid.
    if (intent.status !== 'paid') await lockAcceptedOffer(tx, payment.offerId)
    await setIntent(tx, payment, intent.id)
    return holdIfPaid(tx, intent, config.currency, log)
  })
  if (intent.status === 'paid') throw refuse('offer_already_paid')
  // Somebody else replaced the same canceled intent a moment ago: theirs is the one to pay.
  if (found === 'no such payment') throw refuse('payment_wrong_state')
  return { clientSecret: intent.clientSecret, paymentId: payment.id }
}

/** Of several that start the same payment at once, one makes the intent and the others wait for it. */
async function findOrMake(services: Services, terms: Terms, buyer: User) {
  const { cards, database } = services
  if (!cards) throw refuse('provider_failed')
  for (let tries = 1; ; tries++) {
    const payment = await database.transact((tx) => pendingPayment(tx, terms, buyer))
    try {
      return { payment, intent: await intentOf(cards, payment) }
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      if (error.outcome === 'refused') {
        await database.transact((tx) => deletePaymentWithoutIntent(tx, payment))
        throw refuse('provider_refused')
      }
      const busy = error.outcome === 'busy'
      if (!busy) await database.transact((tx) => countIntentAttempt(tx, payment))
      if (!busy || tries === BUSY_TRIES) throw refuse('provider_failed')
      await wait(tries * BUSY_WAIT_MS)
    }
  }
}

async function pendingPayment(tx: Tx, terms: Terms, buyer: User): Promise<Payment> {
  const offer = await lockOffer(tx, terms.offerId ?? (await acceptedOffer(tx, terms, buyer)))
  const party = offer?.wantedItemId === terms.itemId && partyIn(offer, buyer.id)
  if (!offer || !party) throw refuse('offer_not_found')
  if (party !== 'buyer') throw refuse('not_your_offer')
  if (offer.status !== 'accepted') throw refuse('offer_not_accepted')
  if (offer.amount !== terms.amount) throw refuse('amount_mismatch')
  if (!(await areActive(tx, [offer.buyerId, offer.sellerId]))) throw refuse('offer_not_accepted')
  const payment = await findOrInsertPayment(tx, offer)
  if (payment.status !== 'pending') throw refuse('offer_already_paid')
  return payment
}

async function lockAcceptedOffer(tx: Tx, offerId: number): Promise<void> {
  const offer = await lockOffer(tx, offerId)
  if (offer?.status !== 'accepted') throw refuse('offer_not_accepted')
}

async function acceptedOffer(tx: Tx, { itemId, amount }: Terms, buyer: User): Promise<number> {
  if (!(await itemExists(tx, itemId))) throw refuse('item_not_found')
  const accepted = await findAcceptedOffers(tx, itemId, buyer.id)
  if (accepted.length === 0) throw refuse('offer_not_accepted')
  const agreed = accepted.find((offer) => offer.amount === amount)
  if (!agreed) throw refuse('amount_mismatch')
  return agreed.id
}

/** The payment's intent, made if there is none, or anew if it was canceled. */
async function intentOf(cards: CardProvider, payment: Payment): Promise<Intent> {
  const { id, amount: amountCents, createdAt, intentAttempt, stripePaymentIntentId } = payment
  const current = stripePaymentIntentId && (await cards.readIntent(stripePaymentIntentId))
  if (current && current.status !== 'canceled') return current
  // The key of a canceled intent would only bring the canceled one back. Where a try has ended in doubt the key
  // is another one too: the provider may repeat a failure under the old one, and an intent that was made after
  // all can be left where it is, since nobody has what it takes to pay it.
  return await cards.createIntent({ id, amountCents, createdAt, attempt: intentAttempt + (current ? 1 : 0) })
}
