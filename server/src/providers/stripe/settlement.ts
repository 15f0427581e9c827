import { type Conversion, convertDown } from '@sought/escrow/conversion'
import type Stripe from 'stripe'
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
  return { ...changed, id, settledAmount: amount, settledCurrency: currency }
}

interface Amount {
  cents: number
  currency: string
}

/** What a part of a charge settled for, at the charge's own rate. The charge and its transaction are expanded. */
export function settleInCharge(paid: Amount, charge: Stripe.PaymentIntent['latest_charge']): Amount {
  if (!charge || typeof charge === 'string') return paid
  const { amount, balance_transaction: transaction } = charge
  if (!transaction || typeof transaction === 'string')
    throw new ProviderFailed('unknown', new Error(`charge ${charge.id} has not settled yet`))
  if (transaction.currency === paid.currency) return paid
  return { cents: convertDown(paid.cents, amount, transaction.amount), currency: transaction.currency }
}

/** The metadata of a transfer that names what it is worth in the currency of its payment. */
export const worthOf = ({ cents, currency }: Amount) => ({ paidCents: cents, paidCurrency: currency })

/** The amount of a transfer in the currency of its payment. */
function paidBy({ amount, currency, metadata }: Stripe.Transfer): Amount {
  const { paidCents, paidCurrency } = metadata
  return paidCents && paidCurrency
    ? { cents: Number(paidCents), currency: paidCurrency }
    : { cents: amount, currency }
}

/** A part of a transfer in the currency of its payment. */
const partPaid = (transfer: Stripe.Transfer, cents: number) =>
  convertDown(cents, transfer.amount, paidBy(transfer).cents)

/** What the seller keeps of a transfer, in the currency of its payment. */
export const keptOf = (transfer: Stripe.Transfer): number =>
  paidBy(transfer).cents - partPaid(transfer, transfer.amount_reversed)

/** The part of a transfer that is worth an amount in the currency of its payment, rounded down. */
export const partOf = (transfer: Stripe.Transfer, cents: number): number =>
  cents >= paidBy(transfer).cents
    ? transfer.amount
    : convertDown(cents, paidBy(transfer).cents, transfer.amount)

function conversionOf(transfer: Stripe.Transfer, { id, cents, amount }: ReversedPart): Conversion | null {
  const { currency } = paidBy(transfer)
  if (currency === transfer.currency) return null
  return {
    kind: 'transfer',
    id,
    amount: cents,
    currency,
    settledAmount: amount,
    settledCurrency: transfer.currency,
  }
}

export const transferConversion = (transfer: Stripe.Transfer): Conversion | null =>
  conversionOf(transfer, { id: transfer.id, cents: -paidBy(transfer).cents, amount: -transfer.amount })

interface ReversedPart {
  id: string
  /** In the currency of the payment. */
  cents: number
  /** In the currency of the transfer. */
  amount: number
}

/**
 * What the reversals of a transfer gave back, in the currency of its payment. They are calculated from their sum, so
 * that reversing all of a transfer gives back exactly what was paid. Stripe lists the newest first.
 */
export function valueReversals(
  transfer: Stripe.Transfer,
  reversals: Stripe.TransferReversal[],
  reversedCents: number,
): { id: string; cents: number; conversion: Conversion | null; metadata: Stripe.Metadata | null }[] {
  let until = reversedCents
  return reversals.map(({ id, amount, metadata }) => {
    const cents = partPaid(transfer, until) - partPaid(transfer, until - amount)
    until -= amount
    return { id, cents, conversion: conversionOf(transfer, { id, cents, amount }), metadata }
  })
}
