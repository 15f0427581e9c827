import type Stripe from 'stripe'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { findObject, lockObject, toUnixSeconds } from '../objects.ts'
import type { Trigger } from '../payments/cards.ts'
import { makeDailyPayouts } from '../payouts/payout-schedule.ts'
import { type Account, isDeleted } from './account-access.ts'
import { saveAccount } from './account-changes.ts'

/* What Stripe needs to know about a seller. After onboarding, it asks for more with a deadline. */

const INITIAL = ['business_profile.url', 'external_account', 'tos_acceptance.date', 'tos_acceptance.ip']

/** What every seller has to provide some day. */
const LATER = ['individual.id_number', 'individual.verification.document']

/** A part of an email address that makes later requirements due as soon as the account is set up. */
const ENFORCE = 'enforce_future_requirements'

const DEADLINE_DAYS = 30

const NOTHING_DUE: Stripe.Account.Requirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
}

export const initialRequirements = (): Stripe.Account.Requirements => ({
  ...NOTHING_DUE,
  currently_due: INITIAL,
  disabled_reason: 'requirements.past_due',
  eventually_due: INITIAL,
  past_due: INITIAL,
})

/** The requirements of an account that provided everything for the first or for another time. */
export function requirementsAfterOnboarding(
  tx: Tx,
  { email, details_submitted }: Stripe.Account,
): Stripe.Account.Requirements {
  if (details_submitted) return NOTHING_DUE
  return email?.includes(ENFORCE) ? dueRequirements(tx) : { ...NOTHING_DUE, eventually_due: LATER }
}

function dueRequirements(tx: Tx): Stripe.Account.Requirements {
  const { now } = tx
  const deadline = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + DEADLINE_DAYS)
  return {
    ...NOTHING_DUE,
    current_deadline: toUnixSeconds(new Date(deadline)),
    currently_due: LATER,
    eventually_due: LATER,
  }
}

export function overdueRequirements(due: string[]): Stripe.Account.Requirements {
  return {
    ...NOTHING_DUE,
    currently_due: due,
    disabled_reason: 'requirements.past_due',
    errors: due.map((requirement) => ({
      code: 'information_missing',
      reason: 'The information was not provided in time.',
      requirement,
    })),
    eventually_due: due,
    past_due: due,
  }
}

/** Asks for later requirements, or blocks the account because they are overdue. No effect before onboarding. */
export async function triggerRequirements(tx: Tx, cause: Cause, id: string, trigger: Trigger): Promise<void> {
  const account = await findObject(tx, 'account', id, 'for update')
  if (!account || isDeleted(account) || !account.body.details_submitted) return
  if (trigger !== 'requirements') return block(tx, cause, account, trigger)
  const { body } = account
  if (body.requirements?.past_due?.length) return
  await saveAccount(tx, cause, account, { ...account, body: { ...body, requirements: dueRequirements(tx) } })
}

async function block(
  tx: Tx,
  cause: Cause,
  account: Account,
  what: 'charges' | 'payouts' | 'everything',
): Promise<void> {
  const { body, hidden } = account
  const due = body.requirements?.currently_due ?? []
  const inactive = hidden.capabilities.filter(
    (name) => what === 'everything' || (what === 'charges' && name === 'card_payments'),
  )
  const blocked: Stripe.Account = {
    ...body,
    capabilities: {
      ...body.capabilities,
      ...Object.fromEntries(inactive.map((name) => [name, 'inactive'])),
    },
    ...(what !== 'payouts' && { charges_enabled: false }),
    ...(what !== 'charges' && { payouts_enabled: false }),
    requirements: overdueRequirements(due.length > 0 ? due : LATER),
  }
  await saveAccount(tx, cause, account, { ...account, body: blocked })
}

/** At midnight: blocks an account whose deadline has passed, and otherwise pays out its balance. */
export async function settleAccount(tx: Tx, cause: Cause, id: string): Promise<void> {
  const account = await lockObject(tx, 'account', id)
  const { current_deadline: deadline } = account.body.requirements ?? NOTHING_DUE
  if (deadline !== null && deadline <= toUnixSeconds(tx.now)) await block(tx, cause, account, 'everything')
  await makeDailyPayouts(tx, cause, id)
}
