import type { BodyOf } from '@sought/contract/call'
import type { setUpStripeConnect } from '@sought/contract/sellers'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { recordAccount } from '../payouts/sync-account.ts'
import { changePayoutMethod } from './change-payout-method.ts'
import * as queries from './queries.ts'

/*
 * A seller's connected account at the card provider. No transaction is open while the provider is called, because
 * it may take seconds to answer.
 */

type Seller = Pick<Actor, 'id' | 'email' | 'origin'>

/** Once the account can receive money, enqueues payouts that were never attempted, unless payouts wait. */
export async function readConnectStatus(services: Services, seller: Seller) {
  const { database } = services
  const { accountId, waitUntil, delayedUntil } = await queries.findPayoutMethods(database.read, seller.id)
  if (!accountId) return { hasAccount: false, canReceivePayments: false }
  const account = await callProvider(services, (cards) => cards.readAccount(accountId))
  const now = services.clock()
  const waits = [waitUntil, delayedUntil].some((until) => until !== null && until > now)
  await database.transact(async (tx) => {
    await recordAccount(tx, accountId, account)
    if (account?.canReceive && !waits) await enqueueUntriedPayouts(tx, seller)
  })
  return { hasAccount: account !== null, canReceivePayments: account?.canReceive ?? false }
}

/**
 * Skips payouts that the provider has refused before. An open page reads the status after every payout change, so
 * a refused payout would be retried and refused in a loop for as long as the page is open.
 */
async function enqueueUntriedPayouts(tx: Tx, seller: Seller): Promise<void> {
  if (await queries.hasUntriedPayouts(tx, seller.id)) await enqueueSellerPayouts(tx, seller.id)
}

export async function setUpConnect(
  services: Services,
  { country }: BodyOf<typeof setUpStripeConnect>,
  seller: Seller,
) {
  const { accountId } = await queries.findPayoutMethods(services.database.read, seller.id)
  const account = accountId && (await callProvider(services, (cards) => cards.readAccount(accountId)))
  const own = account
    ? accountId
    : await openAccount(services, seller, country ?? services.config.platformCountry, accountId)
  return { onboardingUrl: await callProvider(services, (cards) => cards.onboardingUrl(own)) }
}

/**
 * Opens an account at the provider. `gone` is a former account that the provider no longer knows. Two concurrent
 * calls may open two accounts; the first one saved becomes the seller's, the other stays unused.
 */
async function openAccount(services: Services, seller: Seller, country: string, gone: string | null) {
  const { id: userId, email } = seller
  if (services.cards && !services.cards.canPayOutTo(country)) throw refuse('country_paid_manually')
  await services.limits.payoutAccountsByAccount.count(userId)
  const opened = await callProvider(services, (cards) => cards.createAccount({ userId, email, country }))
  return services.database.transact(async (tx) => {
    const claimed = await claimAccount(tx, userId, opened, gone)
    if (claimed === opened) await recordAudit(tx, { action: 'payout_account_created', ...by(seller) })
    return claimed
  })
}

/** Saves the account if the seller has none or only the `gone` one. Returns the account they have afterwards. */
async function claimAccount(tx: Tx, userId: string, opened: string, gone: string | null): Promise<string> {
  const { accountId } = await changePayoutMethod(tx, userId, ({ accountId }) =>
    accountId === null || accountId === gone
      ? { stripeConnectAccountId: opened, payoutsEnabled: false }
      : null,
  )
  return accountId === null || accountId === gone ? opened : accountId
}

/** A payout that is being sent keeps its destination, so it is neither lost nor sent twice. */
export async function resetConnect(tx: Tx, seller: Seller) {
  await changePayoutMethod(tx, seller.id, ({ accountId }) =>
    accountId === null ? null : { stripeConnectAccountId: null, payoutsEnabled: false },
  )
  await recordAudit(tx, { action: 'payout_account_reset', ...by(seller) })
  return { ok: true as const }
}

async function callProvider<Answer>(
  { cards, log }: Services,
  call: (cards: CardProvider) => Promise<Answer>,
): Promise<Answer> {
  if (!cards) throw refuse('provider_failed')
  try {
    return await call(cards)
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'a provider call about a seller’s account failed')
    throw refuse('provider_failed')
  }
}
