import { intentOf } from '@sought/server/market-builder/card-browser'
import { type Action, type Answer, recordAnswer, type Schedule } from './market.ts'

/* Payments by other methods than cards, most of which take days or lead to a page of the bank. */

/** A current or an old client secret, because a tab may have been open for a long time. */
export const someSecret = ({ deal, random }: Schedule) =>
  deal.secrets.length > 0 ? random.pick(deal.secrets) : null

const byToken = (token: string) => ({ payment_method: token })

const byPage = (type: string, data: Record<string, string> = {}) => ({
  'payment_method_data[type]': type,
  'payment_method_data[billing_details][name]': 'Simulated Buyer',
  'payment_method_data[billing_details][email]': 'buyer@example.com',
  ...data,
})

const KLARNA = byPage('klarna')

/** What buyers choose in each currency. The money of debits comes later, or the bank refuses it. */
const METHODS: Record<string, Record<string, string>[]> = {
  usd: [
    byToken('pm_usBankAccount_success'),
    byToken('pm_usBankAccount_insufficientFunds'),
    byToken('pm_usBankAccount_dispute'),
    // The buyer has to verify this account first.
    byPage('us_bank_account', {
      'payment_method_data[us_bank_account][account_number]': '000123456789',
      'payment_method_data[us_bank_account][routing_number]': '110000000',
    }),
    KLARNA,
  ],
  eur: [
    byToken('pm_success_de'),
    byToken('pm_successDelayed_de'),
    byToken('pm_failedDelayed_de'),
    byToken('pm_disputed_de'),
    byPage('ideal'),
    byPage('bancontact'),
    KLARNA,
  ],
  myr: [byPage('fpx', { 'payment_method_data[fpx][bank]': 'maybank2u' })],
}

interface NextAction {
  redirect_to_url?: { url: string }
  verify_with_microdeposits?: { hosted_verification_url: string }
}

/** The buyer answers on the page that the reply leads to. */
export async function pressPage({ market, log }: Schedule, reply: Answer, verdict: string): Promise<void> {
  const next = (reply.body.next_action ?? {}) as NextAction
  const url = next.redirect_to_url?.url ?? next.verify_with_microdeposits?.hosted_verification_url
  if (url) log.push(`the page ${verdict}: ${(await market.press(`${url}/${verdict}`)).status}`)
}

export const payByMethod: Action = async (schedule) => {
  const { market, deal, log, random, acknowledged } = schedule
  const secret = someSecret(schedule)
  if (!secret) return
  const method = random.pick(METHODS[deal.currency] ?? [KLARNA])
  const name = method.payment_method ?? method['payment_method_data[type]']
  deal.charged = true
  const reply = await market.enterMethod(secret, method)
  const status = String(reply.body.status ?? (reply.status || 'no answer'))
  log.push(`pay by ${name}: ${status}`)
  market.counters.count('methods', `${name}: ${status}`)
  if (status === 'succeeded') acknowledged.push({ what: 'charged', intentId: intentOf(secret) })
  // The page of a redirect may be abandoned.
  if (status === 'requires_action' && random.chance(0.7))
    await pressPage(schedule, reply, random.chance(0.7) ? 'complete' : 'fail')
  if (deal.paymentId === null || random.chance(0.3)) return
  const answer = await market.call(deal.buyer, `POST /api/payments/${deal.paymentId}/submitted`)
  recordAnswer(schedule, 'report the payment', answer, 'ok', 'provider_failed')
}

/** The buyer no longer wants to verify their account, and pays another way. */
export const stopWaiting: Action = async (schedule) => {
  const { market, deal } = schedule
  if (deal.paymentId === null) return
  const answer = await market.call(deal.buyer, `POST /api/payments/${deal.paymentId}/stop-waiting`)
  recordAnswer(schedule, 'stop waiting', answer, 'ok', 'payment_wrong_state', 'provider_failed')
}
