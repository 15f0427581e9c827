import { intentOf } from '@sought/server/market-builder/card-browser'
import type { Action, Schedule } from './market.ts'

/* Decisions of banks and actions in the provider's dashboard, at any time and independent of us. */

async function press(
  { market, log }: Schedule,
  what: string,
  address: string,
  form: Record<string, string> = {},
): Promise<void> {
  const { status } = await market.press(address, form)
  log.push(`${what}: ${status}`)
  market.counters.count('provider', status === 303 ? what : `${what}: not possible`)
}

/** A part of the amount, or everything. */
const partOf = ({ random, deal }: Schedule): Record<string, string> =>
  random.chance(0.5) ? {} : { amount: String(1 + random.below(deal.amount)) }

const intentsOf = ({ deal }: Schedule) => deal.secrets.map(intentOf)

/** The buyer's bank takes the money back, or asks questions first. */
export const openChargeback: Action = async (schedule) => {
  const intents = intentsOf(schedule)
  if (intents.length === 0) return
  const { random } = schedule
  const [what, form] = random.chance(0.3)
    ? (['inquiry', { case_type: 'inquiry' }] as const)
    : (['chargeback', {}] as const)
  await press(schedule, what, `/sandbox/payments/${random.pick(intents)}/dispute`, {
    ...form,
    ...partOf(schedule),
  })
  if (random.chance(0.3)) await closeChargeback(schedule)
}

/** The bank decides about the chargeback, or it is prevented. */
export const closeChargeback: Action = async (schedule) => {
  const { market, random } = schedule
  const { rows } = await market.sql.query<{ id: string; status: string }>(
    `select id, body ->> 'status' as status from sandbox.objects
     where kind = 'dispute' and body ->> 'payment_intent' = any ($1)
       and body ->> 'status' in ('needs_response', 'warning_needs_response')`,
    [intentsOf(schedule)],
  )
  if (rows.length === 0) return
  const { id, status } = random.pick(rows)
  const verdict = random.pick(
    status === 'needs_response'
      ? (['won', 'lost', 'lost', 'prevented'] as const)
      : (['close', 'escalate'] as const),
  )
  if (verdict === 'lost') schedule.deal.refunded = true
  await press(schedule, `chargeback ${verdict}`, `/sandbox/disputes/${id}/${verdict}`)
}

export const refundInDashboard: Action = async (schedule) => {
  const intents = intentsOf(schedule)
  if (intents.length === 0) return
  const address = `/sandbox/payments/${schedule.random.pick(intents)}/refund`
  schedule.deal.refunded = true
  await press(schedule, 'refund in the dashboard', address, { amount: '', ...partOf(schedule) })
}

export const reverseInDashboard: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const { rows } = await market.sql.query<{ id: string }>(
    `select id from sandbox.objects
     where kind = 'transfer' and body -> 'metadata' ->> 'paymentId' = $1::text`,
    [deal.paymentId],
  )
  if (rows.length === 0) return
  const address = `/sandbox/transfers/${random.pick(rows).id}/reverse`
  await press(schedule, 'reversal in the dashboard', address, partOf(schedule))
}
