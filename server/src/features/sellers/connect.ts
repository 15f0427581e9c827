import type { BodyOf } from '@sought/contract/call'
import type { setUpStripeConnect } from '@sought/contract/sellers'
import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import type { User } from '../../platform/session.ts'
import { type CardProvider, ProviderFailed } from '../../providers/stripe/card-provider.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { claimAccount, findPayoutMethods, hasUntriedPayouts, updatePayoutMethods } from './queries.ts'

/*
 * A seller's connected account at the card provider. No transaction is open while the provider is asked:
 * it may take seconds to answer.
 */

type Seller = Pick<User, 'id' | 'email'>

/** Whether there is an account and it can be paid. Once it can, what is owed goes on its way. */
export async function readConnectStatus(services: Services, seller: Seller) {
  const { database } = services
  const { accountId } = await findPayoutMethods(database.read, seller.id)
  if (!accountId) return { hasAccount: false, canReceivePayments: false }
  const account = await ask(services, (cards) => cards.readAccount(accountId))
  if (account?.canReceive) await database.transact((tx) => sendUntried(tx, seller))
  return { hasAccount: account !== null, canReceivePayments: account?.canReceive ?? false }
}

/**
 * An open page reads the status again whenever a payout changes. What the provider has turned down is therefore
 * not sent from here: it would be tried again at once, and turned down again, for as long as the page is open.
 */
async function sendUntried(tx: Tx, seller: Seller): Promise<void> {
  if (await hasUntriedPayouts(tx, seller.id)) await enqueueSellerPayouts(tx, seller.id)
}

export async function setUpConnect(
  services: Services,
  { country }: BodyOf<typeof setUpStripeConnect>,
  seller: Seller,
) {
  const { accountId } = await findPayoutMethods(services.database.read, seller.id)
  const known = accountId && (await ask(services, (cards) => cards.readAccount(accountId)))
  const own = known ? accountId : await openAccount(services, seller, country, accountId)
  return { onboardingUrl: await ask(services, (cards) => cards.onboardingUrl(own)) }
}

/**
 * Opens an account with the provider, in the place of one that the provider no longer knows. Whoever asks
 * twice at once may open two; the first to be written down is the seller's, and the other stays empty.
 */
async function openAccount(services: Services, seller: Seller, country: string, gone: string | null) {
  const { id: userId, email } = seller
  const opened = await ask(services, (cards) => cards.createAccount({ userId, email, country }))
  const own = await services.database.transact((tx) => claimAccount(tx, userId, opened, gone))
  if (!own) throw refuse('signed_out')
  return own
}

/** What is being sent keeps its destination, so that it can be neither lost nor sent twice. */
export async function resetConnect(tx: Tx, seller: Seller) {
  await updatePayoutMethods(tx, seller.id, { stripeConnectAccountId: null })
  return { ok: true as const }
}

async function ask<Answer>(
  { cards, log }: Services,
  question: (cards: CardProvider) => Promise<Answer>,
): Promise<Answer> {
  if (!cards) throw refuse('provider_failed')
  try {
    return await question(cards)
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'a seller’s account could not be asked about')
    throw refuse('provider_failed')
  }
}
