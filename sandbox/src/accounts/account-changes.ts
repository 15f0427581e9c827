import type Stripe from 'stripe'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { saveObject } from '../objects.ts'
import { schedulePayouts } from '../payouts/payout-schedule.ts'
import { type Account, eventOf } from './account-access.ts'

/** Saves an account, with the events of everything that changed. The caller has locked it. */
export async function saveAccount(tx: Tx, cause: Cause, before: Account, after: Account): Promise<void> {
  await saveObject(tx, after)
  if (before.body.payouts_enabled !== after.body.payouts_enabled) await schedulePayouts(tx, after.body)
  await emitBankEvents(tx, cause, before, after)
  for (const name of after.hidden.capabilities) {
    const [was, is] = [statusOf(before.body, name), statusOf(after.body, name)]
    if (was === is) continue
    const about = { ...eventOf(after), previous: { status: was } }
    await emitEvent(tx, cause, 'capability.updated', presentCapability(after, name), about)
  }
  const previous = Object.fromEntries(
    Object.entries(before.body).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(after.body, field)),
    ),
  )
  await emitEvent(tx, cause, 'account.updated', after.body, { ...eventOf(after), previous })
}

async function emitBankEvents(tx: Tx, cause: Cause, before: Account, after: Account): Promise<void> {
  const banks = ({ body }: Account) => body.external_accounts?.data ?? []
  const about = eventOf(after)
  for (const old of banks(before)) {
    const kept = banks(after).find(({ id }) => id === old.id)
    if (!kept) await emitEvent(tx, cause, 'account.external_account.deleted', old, about)
    else if (JSON.stringify(kept) !== JSON.stringify(old)) {
      await emitEvent(tx, cause, 'account.external_account.updated', kept, about)
    }
  }
  for (const bank of banks(after)) {
    if (banks(before).some(({ id }) => id === bank.id)) continue
    await emitEvent(tx, cause, 'account.external_account.created', bank, about)
  }
}

const statusOf = ({ capabilities = {} }: Stripe.Account, name: string): Stripe.Capability.Status =>
  Object.entries(capabilities).find(([capability]) => capability === name)?.[1] ?? 'unrequested'

export function presentCapability({ id, body, hidden }: Account, name: string): Stripe.Capability {
  const due = body.requirements
  return {
    id: name,
    object: 'capability',
    account: id,
    requested: hidden.capabilities.includes(name),
    requested_at: body.created ?? null,
    requirements: {
      alternatives: [],
      current_deadline: due?.current_deadline ?? null,
      currently_due: due?.currently_due ?? [],
      disabled_reason: due?.disabled_reason ?? null,
      errors: due?.errors ?? [],
      eventually_due: due?.eventually_due ?? [],
      past_due: due?.past_due ?? [],
      pending_verification: [],
    },
    status: statusOf(body, name),
  }
}
