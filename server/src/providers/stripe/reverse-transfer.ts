import { type Currency, rulesOf, toProviderAmount } from '@sought/contract/currencies'
import { roundDown } from '@sought/escrow/amount'
import { convertDown } from '@sought/escrow/conversion'
import Stripe from 'stripe'
import { readAmount } from './amounts.ts'
import type { TakenBack } from './card-provider.ts'
import { keptOf, partOf, readTransfer, valueReversals } from './settlement.ts'
import { collect, idOf, nullIfUnknown } from './stripe-api.ts'

/*
 * Takes a transfer back, as far as the seller's account can pay for it. Stripe converted it when it reached an account
 * with another currency, so only Stripe knows whether the balance is enough, and smaller steps follow if it is not.
 */

/** Marks reversals that we made. The name is from the time when only chargebacks caused them. */
export const CAUSE = 'chargebackId'
const MAX_STEPS = 8

interface Reversal {
  causeId: string
  transferId: string
  accountId: string
  /** In the currency of the payment. */
  amountCents: number
}

export async function reverseTransfer(stripe: Stripe, reversal: Reversal): Promise<TakenBack> {
  const { transferId, accountId, amountCents } = reversal
  const earlier = await findTakenBack(stripe, reversal)
  if (earlier) return earlier
  const transfer = await stripe.transfers.retrieve(transferId)
  const { sent, reversed } = readTransfer(transfer)
  const { step } = rulesOf(sent.currency)
  const left = sent.amount - reversed
  const wanted = amountCents >= keptOf(transfer) ? left : partOf(transfer, amountCents)
  const possible = Math.min(wanted, left, await findFunds(stripe, transfer, accountId))
  let taken = 0
  let next = roundDown(possible, step)
  for (let tried = 0; tried < MAX_STEPS && next > 0; tried++) {
    const isTaken = await takePart(stripe, reversal, sent.currency, { taken, part: next })
    if (isTaken) taken += next
    else next = roundDown(Math.floor(next / 2), step)
    next = Math.min(next, roundDown(possible - taken, step))
  }
  return (await findTakenBack(stripe, reversal)) ?? { cents: 0, conversions: [] }
}

/** Returns false if Stripe refuses, because the account cannot pay for it. */
async function takePart(
  stripe: Stripe,
  { transferId, causeId }: Reversal,
  currency: Currency,
  { taken, part }: { taken: number; part: number },
): Promise<boolean> {
  try {
    await stripe.transfers.createReversal(
      transferId,
      { amount: toProviderAmount(part, currency), metadata: { [CAUSE]: causeId } },
      { idempotencyKey: `take-back:${transferId}:${causeId}:${taken}:${part}` },
    )
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 404) return false
    throw error
  }
}

/** What was taken back for this cause, in the currency of the payment. Null if nothing was reversed. */
async function findTakenBack(stripe: Stripe, { transferId, causeId }: Reversal): Promise<TakenBack | null> {
  const made = await collect(stripe.transfers.listReversals(transferId, { limit: 100 }))
  if (!made.some(({ metadata }) => metadata?.[CAUSE] === causeId)) return null
  const transfer = await stripe.transfers.retrieve(transferId)
  const ours = valueReversals(transfer, made).filter(({ metadata }) => metadata?.[CAUSE] === causeId)
  return {
    cents: ours.reduce((total, { amount }) => total + amount, 0),
    conversions: ours.flatMap(({ conversion }) => conversion ?? []),
  }
}

/**
 * What the account can pay, in the currency of the transfer, at the rate at which the transfer reached it: its available
 * balance, and the transfer itself while it is pending. Nothing if we no longer reach the account.
 */
async function findFunds(stripe: Stripe, transfer: Stripe.Transfer, accountId: string): Promise<number> {
  const account = { stripeAccount: accountId }
  const balance = await nullIfUnknown(() => stripe.balance.retrieve({}, account))
  const source = idOf(transfer.destination_payment)
  if (!balance || !source) return 0
  const { sent, reversed } = readTransfer(transfer)
  const { data: arrived } = await stripe.balanceTransactions.list({ source }, account)
  const [payment] = arrived
  const own = payment?.currency ?? sent.currency
  const available = balance.available
    .filter(({ currency }) => currency === own)
    .reduce((total, { amount }) => total + readAmount(amount, own), 0)
  const isPending = arrived.some(({ status }) => status === 'pending')
  const from = payment ? readAmount(payment.amount, own) : sent.amount
  const converted = Math.sign(available) * convertDown(Math.abs(available), from, sent.amount)
  return converted + (isPending ? sent.amount - reversed : 0)
}
