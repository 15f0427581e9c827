/** Amounts are whole cents in a number. The largest is far below 2^53, the limit of exact integers. */
export function assertAmount(amountCents: number): void {
  if (!Number.isSafeInteger(amountCents) || amountCents < 0) {
    throw new RangeError(`${amountCents} is not an amount in whole cents`)
  }
}

/** A share of an amount, in basis points (1/100 of a percent), rounded half up. */
export function calculateShare(amountCents: number, basisPoints: number): number {
  return Math.floor((amountCents * basisPoints + 5_000) / 10_000)
}
