import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { HANDOVER_CODE_DIGITS } from '@sought/escrow/delivery'
import { ratesOfDeal } from '@sought/escrow/fees'
import { partyIn } from '@sought/escrow/moves'
import { methodsIn } from '@sought/escrow/payment-methods'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findFees, findSettings, withDefaults } from '../../../database/market-settings.ts'
import { hasRow } from '../../../database/rows.ts'
import { wantedItems } from '../../../database/schema.ts'
import type { Actor, User } from '../../../http/session.ts'
import {
  type CardProvider,
  type Intent,
  type IntentDetails,
  ProviderFailed,
} from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { requirePayable } from '../../board/requests/reservation.ts'
import { areActive, requireVerifiedEmail } from '../../identity/accounts/active-users.ts'
import { saveAddress } from '../../identity/addresses/actions.ts'
import { hashAddress, openAddress, sealAddress } from '../../identity/addresses/sealed-addresses.ts'
import { requireConsent } from '../../identity/policies/actions.ts'
import { cancelIntent } from './cancel-intent.ts'
import { findOrCreateCustomer } from './customers.ts'
import * as queries from './queries.ts'
import { lockPayment, type Payment } from './stored-payment.ts'
import { holdIfPaid } from './sync-payment.ts'

const BUSY_TRIES = 5
const BUSY_WAIT_MS = 200
const NOT_AVAILABLE = 'Payments are not available at the moment. Nothing was charged. Please try again later.'

interface Terms {
  itemId: number
  /** By default, the buyer's accepted offer for this item and amount. */
  offerId?: number
  amount: number
  deliveryAddress?: DeliveryAddress | undefined
  /** Whether to save the address for the next checkout. */
  saveAddress?: boolean | undefined
}

/**
 * Starts the payment of an accepted offer, or returns the one already started. Three steps: insert the
 * payment, create the provider's intent with an idempotency key derived from the payment, save the intent.
 * After a crash between two steps, calling again completes them. No transaction is open while the provider is
 * called.
 */
export async function startPayment(services: Services, encryption: Encryption, terms: Terms, buyer: Actor) {
  const { database } = services
  const { payment, intent } = await createPaymentAndIntent(services, encryption, terms, buyer)
  const synced = await database.transact(async (tx) => {
    // In the meantime a party may have deleted their account, or the request may be paid or closed. An intent
    // cannot be paid if nobody receives its secret.
    if (intent.status !== 'paid') await lockAcceptedOffer(tx, payment.offerId)
    await queries.setIntent(tx, payment, intent.id)
    const result = await holdIfPaid(tx, intent, services)
    const current = intent.status === 'paid' ? undefined : await requireUnpaid(tx, payment)
    return { result, current }
  })
  if (intent.status === 'paid') throw refuse('offer_already_paid')
  // A concurrent call has replaced the canceled intent, and the buyer must pay the new one.
  if (synced.result === 'not found' || !synced.current) throw refuse('payment_wrong_state')
  const { method, waitingUntil, waitsFor } = synced.current
  const { clientSecret, methods, instructionsUrl } = intent
  const { id: paymentId, currency } = payment
  return { clientSecret, paymentId, currency, methods, method, waitingUntil, waitsFor, instructionsUrl }
}

/**
 * If a payment is started several times at once, one call creates the intent and the others retry until it exists.
 */
async function createPaymentAndIntent(
  services: Services,
  encryption: Encryption,
  terms: Terms,
  buyer: Actor,
) {
  const { cards, keyWatch, database, config } = services
  if (!cards || keyWatch?.problem()) throw refuse('provider_failed', { message: NOT_AVAILABLE })
  for (let tries = 1; ; tries++) {
    const { payment, methods } = await database.transact(async (tx) => {
      const found = await findOrCreatePayment(tx, terms, buyer, config)
      await sealTerms(tx, encryption, found.payment, terms, buyer)
      await queries.setPurchaseIp(tx, found.payment.id, buyer.origin.ip)
      return found
    })
    try {
      return { payment, intent: await readOrCreateIntent(services, cards, encryption, payment, methods) }
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error
      const isGone = error.outcome === 'refused' && error.reason === 'resource_missing'
      if (isGone && tries < BUSY_TRIES && (await replaceCustomer(database, payment))) continue
      if (error.outcome === 'refused') {
        await database.transact((tx) => queries.deletePaymentWithoutIntent(tx, payment))
        throw refuse('provider_refused')
      }
      const isBusy = error.outcome === 'busy'
      if (!isBusy) await database.transact((tx) => queries.countIntentAttempt(tx, payment))
      if (!isBusy || tries === BUSY_TRIES) throw refuse('provider_failed')
      await wait(tries * BUSY_WAIT_MS)
    }
  }
}

async function findOrCreatePayment(
  tx: Tx,
  terms: Terms,
  buyer: User,
  { settingDefaults }: Services['config'],
) {
  const offer = await queries.lockOffer(tx, terms.offerId ?? (await findAcceptedOfferId(tx, terms, buyer)))
  const party = offer?.wantedItemId === terms.itemId && partyIn(offer, buyer.id)
  if (!offer || !party) throw refuse('offer_not_found')
  if (party !== 'buyer') throw refuse('not_your_offer')
  if (offer.status !== 'accepted') throw refuse('offer_not_accepted')
  if (offer.amount !== terms.amount) throw refuse('amount_mismatch')
  if (!(await areActive(tx, [offer.buyerId, offer.sellerId]))) throw refuse('offer_not_accepted')
  await requireConsent(tx, buyer.id)
  const settings = withDefaults(await findSettings(tx), settingDefaults)
  await requireVerifiedEmail(tx, buyer.id, settings)
  const fees = ratesOfDeal(offer.amount, await findFees(tx, offer.acceptedAt ?? tx.now, offer.currency))
  const payment = await queries.findOrInsertPayment(tx, offer, fees)
  if (payment.status !== 'pending') throw refuse('offer_already_paid')
  await requireFree(tx, payment)
  return { payment, methods: methodsIn(payment.currency, settings.paymentMethods) }
}

/** Saves the address, or creates the handover code. The address of the last call before paying counts. */
async function sealTerms(
  tx: Tx,
  encryption: Encryption,
  payment: Payment,
  { deliveryAddress, saveAddress: isSaved }: Terms,
  buyer: User,
): Promise<void> {
  const { id, delivery } = payment
  if (delivery === 'in_person' && !payment.handoverCode) {
    const code = String(randomInt(10 ** HANDOVER_CODE_DIGITS)).padStart(HANDOVER_CODE_DIGITS, '0')
    await queries.setSealedTerms(tx, id, { handoverCode: await encryption.seal(code, handoverOwner(id)) })
  }
  if (delivery !== 'shipping') return
  if (deliveryAddress) {
    const sealed = await sealAddress(encryption, deliveryAddress, `payment:${id}`)
    const addressHash = await hashAddress(encryption, deliveryAddress)
    await queries.setSealedTerms(tx, id, { deliveryAddress: sealed, addressHash })
    if (isSaved) await saveAddress(tx, encryption, deliveryAddress, buyer)
  } else if (!payment.deliveryAddress) {
    throw refuse('invalid', {
      issues: [{ path: 'deliveryAddress', message: 'Please say where the item goes' }],
    })
  }
}

/** The owner that a handover code is encrypted for. */
export const handoverOwner = (paymentId: number) => `handover:${paymentId}`

/** This payment, or another one for the same request, may have been held in the meantime. */
async function requireUnpaid(tx: Tx, { id }: Payment): Promise<Payment | undefined> {
  const payment = await lockPayment(tx, id)
  if (!payment) return undefined
  if (payment.status !== 'pending') throw refuse('offer_already_paid')
  await requireFree(tx, payment)
  return payment
}

/**
 * Locks the request after the payment, in the same order as when a payment is held. A payment that waits for its money
 * has reserved the request for itself.
 */
async function requireFree(tx: Tx, { waitingUntil, wantedItemId }: Payment): Promise<void> {
  if (!waitingUntil) await requirePayable(tx, wantedItemId)
}

async function lockAcceptedOffer(tx: Tx, offerId: number): Promise<void> {
  const offer = await queries.lockOffer(tx, offerId)
  if (offer?.status !== 'accepted') throw refuse('offer_not_accepted')
}

async function findAcceptedOfferId(tx: Tx, { itemId, amount }: Terms, buyer: User): Promise<number> {
  if (!(await hasRow(tx, wantedItems, { id: itemId }))) throw refuse('item_not_found')
  const accepted = await queries.findAcceptedOffers(tx, itemId, buyer.id)
  if (accepted.length === 0) throw refuse('offer_not_accepted')
  const agreed = accepted.find((offer) => offer.amount === amount)
  if (!agreed) throw refuse('amount_mismatch')
  return agreed.id
}

/** The customer was deleted at the provider. The next attempt has a new one, and a new idempotency key. */
const replaceCustomer = (database: Services['database'], payment: Payment) =>
  database.transact(async (tx) => {
    await queries.countIntentAttempt(tx, payment)
    return queries.forgetCustomer(tx, payment.buyerId)
  })

/**
 * Creates an intent if the payment has none, or if its intent was canceled. An unpaid one with other methods than the
 * market takes now is replaced. Otherwise it gets the details of this call, such as another address.
 */
async function readOrCreateIntent(
  services: Services,
  cards: CardProvider,
  encryption: Encryption,
  payment: Payment,
  methods: string[],
): Promise<Intent> {
  const { amount: amountCents, intentAttempt, stripePaymentIntentId } = payment
  const current = stripePaymentIntentId && (await cards.readIntent(stripePaymentIntentId))
  if (current && current.status !== 'canceled' && current.status !== 'unpaid') return current
  const isReplaced = !current || current.status === 'canceled' || (await isOutdated(cards, current, methods))
  const { title, details } = await findDetails(services, cards, encryption, payment.id)
  if (!isReplaced) {
    await cards.updateIntent(current.id, details)
    return current
  }
  // Each attempt has its own idempotency key. The key of a canceled intent would return that intent, and
  // after a failure the provider may repeat the failure. If the failed attempt did create an intent, it stays
  // unused, because nobody has received its client secret.
  const attempt = intentAttempt + (current ? 1 : 0)
  return await cards.createIntent({ ...payment, title, amountCents, details, methods, attempt })
}

async function findDetails(
  services: Services,
  cards: CardProvider,
  encryption: Encryption,
  paymentId: number,
) {
  const facts = await queries.findIntentFacts(services.database.read, paymentId)
  if (!facts) throw new Error('the payment is missing')
  const { title, buyer, sealedAddress } = facts
  const details: IntentDetails = {
    customerId: await findOrCreateCustomer(services, cards, buyer),
    receiptEmail: buyer.emailVerifiedAt && buyer.email,
    shipTo: sealedAddress ? await openAddress(encryption, sealedAddress, `payment:${paymentId}`) : null,
  }
  return { title, details }
}

/** Whether the intent had other methods and is canceled now. */
async function isOutdated(cards: CardProvider, { id, status, allowedMethods }: Intent, wanted: string[]) {
  const isSame = allowedMethods?.toSorted().join() === wanted.toSorted().join()
  return status === 'unpaid' && !isSame && (await cancelIntent(cards, id))
}
