import { timingSafeEqual } from 'node:crypto'

/** Compares secrets. How long it takes does not depend on where they differ. */
export function isSameText(given: string, expected: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === two.length && timingSafeEqual(one, two)
}
