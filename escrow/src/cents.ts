/** All money is whole cents in a number: far below the 2^53 up to which numbers are exact. */
export function assertCents(amountCents: number): void {
  if (!Number.isSafeInteger(amountCents) || amountCents < 0) {
    throw new RangeError(`${amountCents} is not an amount in whole cents`)
  }
}

/** A share of an amount in hundredths of a per cent, rounded half up. */
export function calculateShare(amountCents: number, basisPoints: number): number {
  return Math.floor((amountCents * basisPoints + 5_000) / 10_000)
}
