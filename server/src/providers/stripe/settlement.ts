import { type Currency, rulesOf } from '@sought/contract/currencies'
import { type Conversion, convertDown } from '@sought/escrow/conversion'
import type Stripe from 'stripe'
import { readAmount, readCurrency } from './amounts.ts'
import { ProviderFailed } from './card-provider.ts'

/*
 * Stripe settles charges in the currencies of our account (ADR 95). Its balance transactions say what became of an
 * amount. A transfer is sent in the currency in which its charge settled, and names its amount in the payment's currency
 * in its metadata.
 */

/** A change of our balance as its object says it, such as a charge or a refund. */
interface Changed {
  kind: Conversion['kind']
  /** Negative if the money left our balance. */
  amount: number
  currency: string
}

/** Null if nothing was converted, or the transaction is not expanded or not known yet. */
export function conversionIn(
  changed: Changed,
  transaction: string | Stripe.BalanceTransaction | null | undefined,
): Conversion | null {
  if (!transaction || typeof transaction === 'string' || transaction.currency === changed.currency)
    return null
  const { id, amount, currency } = transaction
  return { ...changed, id, settledAmount: readAmount(amount, currency), settledCurrency: currency }
}

interface Money {
  amount: number
  currency: Currency
}

/** What a part of a charge settled for, at the charge's own rate. The charge and its transaction are expanded. */
export function settleInCharge(paid: Money, charge: Stripe.PaymentIntent['latest_charge']): Money {
  if (!charge || typeof charge === 'string') return paid
  const { amount, currency, balance_transaction: transaction } = charge
  if (!transaction || typeof transaction === 'string')
    throw new ProviderFailed('unknown', new Error(`charge ${charge.id} has not settled yet`))
  if (transaction.currency === paid.currency) return paid
  const settled = readCurrency(transaction.currency)
  const [from, to] = [readAmount(amount, currency), readAmount(transaction.amount, settled)]
  return { amount: convertDown(paid.amount, from, to, rulesOf(settled).step), currency: settled }
}

/** The metadata of a transfer that names what it is worth in the currency of its payment, in our smallest unit. */
export const worthOf = ({ amount, currency }: Money) => ({ paidCents: amount, paidCurrency: currency })

/** A transfer in its own currency, and in that of its payment. */
interface Sent {
  sent: Money
  reversed: number
  paid: Money
}

export function readTransfer(transfer: Stripe.Transfer): Sent {
  const { amount, amount_reversed, metadata } = transfer
  const currency = readCurrency(transfer.currency)
  const sent = { amount: readAmount(amount, currency), currency }
  const { paidCents, paidCurrency } = metadata
  const paid =
    paidCents && paidCurrency ? { amount: Number(paidCents), currency: readCurrency(paidCurrency) } : sent
  return { sent, reversed: readAmount(amount_reversed, currency), paid }
}

/** A part of a transfer in the currency of its payment. */
const partPaid = ({ sent, paid }: Sent, part: number) =>
  convertDown(part, sent.amount, paid.amount, rulesOf(paid.currency).step)

/** What the seller keeps of a transfer, in the currency of its payment. */
export function keptOf(transfer: Stripe.Transfer): number {
  const read = readTransfer(transfer)
  return read.paid.amount - partPaid(read, read.reversed)
}

/** The part of a transfer that is worth an amount in the currency of its payment, rounded down. */
export function partOf(transfer: Stripe.Transfer, amount: number): number {
  const { sent, paid } = readTransfer(transfer)
  return amount >= paid.amount
    ? sent.amount
    : convertDown(amount, paid.amount, sent.amount, rulesOf(sent.currency).step)
}

interface Moved {
  id: string
  /** In the currency of the payment. */
  amount: number
  /** In the currency of the transfer. */
  settledAmount: number
}

const conversionOf = ({ sent, paid }: Sent, moved: Moved): Conversion | null =>
  paid.currency === sent.currency
    ? null
    : { kind: 'transfer', ...moved, currency: paid.currency, settledCurrency: sent.currency }

export function transferConversion(transfer: Stripe.Transfer): Conversion | null {
  const read = readTransfer(transfer)
  const moved = { id: transfer.id, amount: -read.paid.amount, settledAmount: -read.sent.amount }
  return conversionOf(read, moved)
}

interface ValuedReversal {
  id: string
  amount: number
  conversion: Conversion | null
  metadata: Stripe.Metadata | null
}

/**
 * What the reversals of a transfer gave back, in the currency of its payment. They are calculated from their sum, so
 * that reversing all of a transfer gives back exactly what was paid. Stripe lists the newest first.
 */
export function valueReversals(
  transfer: Stripe.Transfer,
  reversals: Stripe.TransferReversal[],
): ValuedReversal[] {
  const read = readTransfer(transfer)
  let until = read.reversed
  return reversals.map(({ id, amount, metadata }) => {
    const settledAmount = readAmount(amount, read.sent.currency)
    const worth = partPaid(read, until) - partPaid(read, until - settledAmount)
    until -= settledAmount
    return {
      id,
      amount: worth,
      conversion: conversionOf(read, { id, amount: worth, settledAmount }),
      metadata,
    }
  })
}
