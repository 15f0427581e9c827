import type Stripe from 'stripe'
import * as z from 'zod'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { notPositive } from '../http/api-error.ts'
import { currency, integer, page, text } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import { listObjects } from '../lists.ts'
import { getObject, insertObject, lockObject, type Stored, saveObject, toUnixSeconds } from '../objects.ts'
import { completePayment, methodOf } from '../payments/payment-outcomes.ts'
import { TRANSFER_TYPES } from './next-actions.ts'

type Intent = Stored<'payment_intent'>
type CashTransaction = Stripe.CustomerCashBalanceTransaction

const FundParams = z.strictObject({ amount: integer, currency, reference: text.optional() })

const fundCashBalance = ({ tx, cause, id, params }: Call<z.output<typeof FundParams>>) =>
  fundCustomer(tx, cause, id, params)

/** Money arrives from the customer's bank. Like Stripe, it goes to the payments that wait for it. */
export async function fundCustomer(
  tx: Tx,
  cause: Cause,
  id: string,
  { amount, currency, reference }: z.output<typeof FundParams>,
): Promise<CashTransaction> {
  if (amount <= 0) throw notPositive('amount')
  await getObject(tx, 'customer', id)
  const waiting = await lockWaiting(tx, id, currency, { amount, reference })
  const funded = await changeCash(tx, cause, id, currency, amount, {
    type: 'funded',
    funded: { bank_transfer: { reference: reference ?? null, type: TRANSFER_TYPES[currency] ?? '' } },
  })
  for (const intent of waiting) await payFromCashBalance(tx, cause, intent)
  const cash = await presentCash(tx, id)
  if (cash.available?.[currency]) await emitEvent(tx, cause, 'cash_balance.funds_available', cash)
  return funded
}

/** Payments are locked before their customer. The one with the reference or the amount comes first, then the oldest. */
async function lockWaiting(
  tx: Tx,
  customer: string,
  currency: string,
  wanted: { amount: number; reference: string | undefined },
): Promise<Intent[]> {
  const rows = await tx.query<Intent>(
    `select id, body, hidden from sandbox.objects
     where kind = 'payment_intent' and body ->> 'customer' = $1 and body ->> 'currency' = $2
       and body ->> 'status' = 'requires_action'
       and body -> 'next_action' ->> 'type' = 'display_bank_transfer_instructions'
     order by seq for update`,
    [customer, currency],
  )
  const rank = ({ body }: Intent) => {
    const shown = body.next_action?.display_bank_transfer_instructions
    if (wanted.reference && shown?.reference === wanted.reference) return 0
    return shown?.amount_remaining === wanted.amount ? 1 : 2
  }
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** Takes what a payment still needs from the customer's cash balance. The caller has locked the payment. */
export async function payFromCashBalance(
  tx: Tx,
  cause: Cause,
  intent: Intent,
): Promise<Stripe.PaymentIntent> {
  const { amount, currency, customer } = intent.body
  const { funded = 0 } = intent.hidden
  const available = (await readCash(tx, String(customer), 'for update'))[currency] ?? 0
  const taken = Math.min(available, amount - funded)
  if (taken <= 0) return intent.body
  await changeCash(tx, cause, String(customer), currency, -taken, {
    type: 'applied_to_payment',
    applied_to_payment: { payment_intent: intent.id },
  })
  const total = funded + taken
  if (total === amount) return completePayment(tx, cause, intent, await methodOf(tx, intent))
  const shown = intent.body.next_action?.display_bank_transfer_instructions
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    next_action: shown
      ? {
          type: 'display_bank_transfer_instructions',
          display_bank_transfer_instructions: { ...shown, amount_remaining: amount - total },
        }
      : null,
  }
  await saveObject(tx, { id: intent.id, body, hidden: { ...intent.hidden, funded: total } })
  await emitEvent(tx, cause, 'payment_intent.partially_funded', body)
  return body
}

/** Returns the money of a payment that was not made to the customer's cash balance. */
export async function returnToCashBalance(tx: Tx, cause: Cause, { id, body, hidden }: Intent): Promise<void> {
  if (!hidden.funded) return
  await changeCash(tx, cause, String(body.customer), body.currency, hidden.funded, {
    type: 'unapplied_from_payment',
    unapplied_from_payment: { payment_intent: id },
  })
}

async function readCash(
  tx: Tx,
  customer: string,
  lock: '' | 'for update' = '',
): Promise<Record<string, number>> {
  const { hidden } = await (lock ? lockObject : getObject)(tx, 'customer', customer)
  return hidden.cash ?? {}
}

async function changeCash(
  tx: Tx,
  cause: Cause,
  id: string,
  currency: string,
  by: number,
  about: Pick<CashTransaction, 'type' | 'funded' | 'applied_to_payment' | 'unapplied_from_payment'>,
): Promise<CashTransaction> {
  const customer = await lockObject(tx, 'customer', id)
  const cash = { ...customer.hidden.cash, [currency]: (customer.hidden.cash?.[currency] ?? 0) + by }
  await saveObject(tx, { ...customer, hidden: { ...customer.hidden, cash } })
  const body: CashTransaction = {
    id: newId('ccsbtxn'),
    object: 'customer_cash_balance_transaction',
    created: toUnixSeconds(tx.now),
    currency,
    customer: id,
    customer_account: null,
    ending_balance: cash[currency] ?? 0,
    livemode: false,
    net_amount: by,
    ...about,
  }
  await insertObject(tx, 'customer_cash_balance_transaction', { body, hidden: {} })
  await emitEvent(tx, cause, 'customer_cash_balance_transaction.created', body)
  return body
}

async function presentCash(tx: Tx, customer: string): Promise<Stripe.CashBalance> {
  const cash = await readCash(tx, customer)
  const available = Object.fromEntries(Object.entries(cash).filter(([, amount]) => amount > 0))
  return {
    object: 'cash_balance',
    available: Object.keys(available).length > 0 ? available : null,
    customer,
    customer_account: null,
    livemode: false,
    settings: { reconciliation_mode: 'automatic', using_merchant_default: true },
  }
}

const retrieveCash = ({ tx, id }: Call) => presentCash(tx, id)

const ListParams = z.strictObject(page)

async function listCash({ tx, id, params }: Call<z.output<typeof ListParams>>) {
  await getObject(tx, 'customer', id)
  const url = `/v1/customers/${id}/cash_balance_transactions`
  return listObjects(tx, 'customer_cash_balance_transaction', url, params, { customer: id })
}

export const cashBalanceRoutes = [
  route('POST', '/v1/test_helpers/customers/:id/fund_cash_balance', FundParams, fundCashBalance),
  route('GET', '/v1/customers/:id/cash_balance', z.strictObject({}), retrieveCash),
  route('GET', '/v1/customers/:id/cash_balance_transactions', ListParams, listCash),
]
