import { assertAmount, calculatePart } from './amount.ts'
import type { MovementKind } from './movement-kinds.ts'

/*
 * Where the card provider changes our balance in another currency than the payment's, it has converted the amount at a
 * rate of its own (ADR 95). We never convert money, and only book what it did.
 */

/** A change of our balance, in the currency of the payment and in the one in which the provider settled it. */
export interface Conversion {
  kind: Exclude<MovementKind, 'own' | 'other'>
  /** The provider's id of the balance transaction, or of the transfer or reversal. */
  id: string
  /** Negative if the money left our balance, like `settledAmount`. */
  amount: number
  /** In lower case. */
  currency: string
  settledAmount: number
  settledCurrency: string
}

/**
 * A part of an amount at the rate that made `to` of `from`, rounded down to a multiple of `step`. All of `from` is
 * exactly `to`.
 */
export function convertDown(amount: number, from: number, to: number, step = 1): number {
  for (const each of [amount, from, to]) assertAmount(each)
  return amount === from ? to : calculatePart(amount, to, from, step)
}
