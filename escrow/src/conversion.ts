import { assertAmount } from './amount.ts'
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
  /** Negative if the money left our balance, like `settledCents`. */
  cents: number
  /** In lower case. */
  currency: string
  settledCents: number
  settledCurrency: string
}

/** A part of an amount at the rate that made `to` of `from`, rounded down. All of `from` is exactly `to`. */
export function convertDown(cents: number, from: number, to: number): number {
  for (const amount of [cents, from, to]) assertAmount(amount)
  // The product may be larger than 2^53.
  return from === 0 ? 0 : Number((BigInt(cents) * BigInt(to)) / BigInt(from))
}
