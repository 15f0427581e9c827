import Stripe from 'stripe'
import type { StripeKeys } from '../../core/config.ts'
import type { Finding } from './doctor-finding.ts'

/** Stripe names the permission that a restricted key lacks. */
export function missingPermission(error: unknown): string | null {
  if (!(error instanceof Stripe.errors.StripePermissionError)) return null
  return /'(rak_\w+)'/.exec(error.message)?.[1] ?? null
}

/** Calls that the server makes. Those that would change something name an object that cannot exist. */
const CALLS: ((stripe: Stripe) => Promise<unknown>)[] = [
  (stripe) => stripe.paymentIntents.update('pi_0', { description: '' }),
  (stripe) => stripe.refunds.update('re_0', { metadata: { doctor: '' } }),
  (stripe) => stripe.transfers.update('tr_0', { description: '' }),
  (stripe) => stripe.disputes.update('dp_0', { submit: false }),
  (stripe) => stripe.accounts.update('acct_0', { metadata: { doctor: '' } }),
  (stripe) => stripe.accountLinks.create({ account: 'acct_0', type: 'account_onboarding' }),
  (stripe) => stripe.charges.list({ limit: 1 }),
  (stripe) => stripe.events.list({ limit: 1 }),
  (stripe) => stripe.balanceTransactions.list({ limit: 1 }),
  (stripe) => stripe.radar.earlyFraudWarnings.list({ limit: 1 }),
  (stripe) => stripe.reviews.list({ limit: 1 }),
]

/** Only restricted keys can lack permissions. */
export async function checkPermissions(stripe: Stripe, { secretKey }: StripeKeys): Promise<Finding[]> {
  if (!secretKey.startsWith('rk_')) return []
  const answers = await Promise.allSettled(CALLS.map((call) => call(stripe)))
  const lacking = answers.flatMap((answer) =>
    answer.status === 'rejected' ? (missingPermission(answer.reason) ?? []) : [],
  )
  const what = 'Permissions'
  if (lacking.length === 0) return [{ what, fine: 'the restricted key has what the server needs' }]
  const problem = `the restricted key lacks ${[...new Set(lacking)].join(', ')}`
  const remedy = 'Edit the key in Stripe’s dashboard (Developers, API keys), and add them.'
  return [{ what, problem, remedy }]
}
