import type { BodyOf } from '@sought/contract/call'
import type { setUpStripeConnect } from '@sought/contract/sellers'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPayoutAccount, readAccountOf, readPayoutAccount } from '../payouts/account-health.ts'
import { enqueueSellerPayouts } from '../payouts/send-payouts.ts'
import { changePayoutMethod } from './change-payout-method.ts'
import * as queries from './queries.ts'

/*
 * A seller's connected account at the card provider. No transaction is open while the provider is called, because
 * it may take seconds to answer.
 */

type Seller = Pick<Actor, 'id' | 'email' | 'origin'>

const NO_ACCOUNT = {
  hasAccount: false,
  canReceivePayments: false,
  requirements: [],
  disabledReason: null,
  loginUrl: null,
  lastPayout: null,
}

/** Once the account can receive money, enqueues payouts that were never attempted, unless payouts wait. */
export async function readConnectStatus(services: Services, seller: Seller) {
  const { database } = services
  const { read } = database
  const { accountId, waitUntil, delayedUntil } = await queries.findPayoutMethods(read, seller.id)
  const found = accountId
    ? await callProvider(services, (cards) => readAccountOf(services, cards, accountId))
    : null
  if (!accountId || !found?.account) {
    const closedAt = (await readPayoutAccount(read, seller.id))?.closedAt
    return { ...NO_ACCOUNT, ...(closedAt && { closedAt }) }
  }
  const { account, stored } = found
  const now = services.clock()
  const waits = [waitUntil, delayedUntil].some((until) => until !== null && until > now)
  if (account.canReceive && !waits) await database.transact((tx) => enqueueUntriedPayouts(tx, seller))
  const { requirements, lastPayout } = stored ? asPayoutAccount(stored) : NO_ACCOUNT
  return {
    hasAccount: true,
    canReceivePayments: account.canReceive,
    requirements,
    disabledReason: account.disabledReason,
    loginUrl: account.hasDashboard ? await createLoginUrl(services, accountId) : null,
    lastPayout,
  }
}

/** The rest of the status does not depend on the link. */
async function createLoginUrl({ cards, log }: Services, accountId: string): Promise<string | null> {
  try {
    return (await cards?.loginUrl(accountId)) ?? null
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error
    log.warn({ err: error }, 'could not create a link to the dashboard of a seller’s account')
    return null
  }
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
