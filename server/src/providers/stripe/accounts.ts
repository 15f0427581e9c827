import { BANK_PAYOUT_STATUSES, type BankPayoutStatus, findWhoEnables } from '@sought/contract/account-health'
import { type Currency, isCurrency, rulesOf, toProviderAmount } from '@sought/contract/currencies'
import { roundDown } from '@sought/escrow/amount'
import type Stripe from 'stripe'
import { describeRequirement } from './account-requirements.ts'
import { readAmount } from './amounts.ts'
import type { Account, AccountRequirement, BankPayout } from './card-provider.ts'

/* A seller's connected account: what it can do, what Stripe needs, and the latest payout to its bank. */

/** Enough to pass over debits of the bank account, which are payouts with a negative amount. */
const LATEST = 5
const PAGE_SIZE = 100

export async function readAccount(stripe: Stripe, accountId: string): Promise<Account> {
  const [account, payouts] = await Promise.all([
    stripe.accounts.retrieve(accountId),
    stripe.payouts.list({ limit: LATEST }, { stripeAccount: accountId }),
  ])
  const { requirements, payouts_enabled: payoutsEnabled, details_submitted: detailsSubmitted } = account
  const disabledReason = requirements?.disabled_reason ?? null
  const last = payouts.data.find(({ amount }) => amount > 0)
  const needsSeller = hasFailedBank(account) || (!payoutsEnabled && needsAction(disabledReason))
  return {
    canReceive: account.capabilities?.transfers === 'active' && !needsSeller,
    payoutsEnabled,
    detailsSubmitted,
    hasDashboard: detailsSubmitted && account.type === 'express',
    hasPayoutSchedule: account.settings?.payouts?.schedule.interval !== 'manual',
    disabledReason,
    requirements: requirements ? readRequirements(requirements) : [],
    lastPayout: last ? await asBankPayout(stripe, accountId, last) : null,
  }
}

/** Whether payouts do not just wait for Stripe or for us. */
function needsAction(disabledReason: string | null): boolean {
  const who = findWhoEnables(disabledReason)
  return who === 'by seller' || who === 'never'
}

/** Stripe stops the payouts to a bank account that has returned one, until the seller replaces it. */
const hasFailedBank = ({ external_accounts: banks }: Stripe.Account): boolean =>
  (banks?.data ?? []).some(
    ({ default_for_currency, status }) =>
      default_for_currency && status !== null && BROKEN.includes(status ?? ''),
  )
const BROKEN = ['errored', 'verification_failed']

function readRequirements(requirements: Stripe.Account.Requirements): AccountRequirement[] {
  const { current_deadline: at, currently_due: due, past_due: late } = requirements
  const deadline = at === null ? null : new Date(at * 1000)
  const lateFields = late ?? []
  const dueFields = (due ?? []).filter((field) => !lateFields.includes(field))
  return [
    ...lateFields.map((field) => ({ field, what: describeRequirement(field), deadline: null })),
    ...dueFields.map((field) => ({ field, what: describeRequirement(field), deadline })),
  ]
}

async function asBankPayout(stripe: Stripe, accountId: string, payout: Stripe.Payout): Promise<BankPayout> {
  const { amount, currency } = payout
  const status = statusOf(payout.status)
  return {
    id: payout.id,
    status,
    failure: payout.failure_code,
    // Only shown, so it may be in a currency that we do not know.
    amountCents: isCurrency(currency) ? readAmount(amount, currency) : amount,
    currency,
    arrivalDate: new Date(payout.arrival_date * 1000),
    failedTransferIds: status === 'failed' ? await findTransfersIn(stripe, accountId, payout) : [],
  }
}

/** A status that Stripe adds later means that the payout is not done yet. */
const statusOf = (status: string): BankPayoutStatus =>
  BANK_PAYOUT_STATUSES.find((known) => known === status) ?? 'pending'

/** Stripe knows the contents of automatic payouts only. */
async function findTransfersIn(
  stripe: Stripe,
  accountId: string,
  { id, automatic }: Stripe.Payout,
): Promise<string[]> {
  if (!automatic) return []
  const payments = new Set<unknown>()
  const of = { payout: id, type: 'payment', limit: PAGE_SIZE }
  for await (const { source } of stripe.balanceTransactions.list(of, { stripeAccount: accountId }))
    payments.add(source)
  const ids: string[] = []
  for await (const transfer of stripe.transfers.list({ destination: accountId, limit: PAGE_SIZE })) {
    if (ids.length === payments.size) break
    if (payments.has(transfer.destination_payment)) ids.push(transfer.id)
  }
  return ids
}

/** What can be paid of an amount, in the provider's units. */
function payablePart(amount: number, left: number, currency: Currency): number {
  const step = toProviderAmount(rulesOf(currency).payoutStep, currency)
  return roundDown(Math.min(toProviderAmount(amount, currency), left), step)
}

/** The idempotency key is the failed payout, so that it is sent again once. */
export async function sendPayoutAgain(
  stripe: Stripe,
  accountId: string,
  { id, amountCents, currency }: BankPayout,
): Promise<void> {
  const account = { stripeAccount: accountId }
  const { available } = await stripe.balance.retrieve({}, account)
  const left = available.find((it) => it.currency === currency)?.amount ?? 0
  const amount = isCurrency(currency) ? payablePart(amountCents, left, currency) : Math.min(amountCents, left)
  if (amount <= 0) return
  const options = { ...account, idempotencyKey: `payout-again:${id}` }
  await stripe.payouts.create({ amount, currency, metadata: { replaces: id } }, options)
}
