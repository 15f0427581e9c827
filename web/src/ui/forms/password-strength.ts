export interface PasswordStrength {
  /** The number of filled bars, out of four. */
  score: 0 | 1 | 2 | 3 | 4
  label: string
}

const labels = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const

const MIN_LENGTH = 6
const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]

/** Only a hint. Length counts most, then variety. Repeating a few characters counts as weak. */
export function ratePassword(password: string): PasswordStrength {
  const length = [...password].length
  if (length < MIN_LENGTH) return { score: 0, label: labels[0] }
  const distinct = new Set(password.toLowerCase()).size
  const kinds = KINDS.filter((kind) => kind.test(password)).length
  const points = Number(length >= 10) + Number(length >= 14) + Number(kinds >= 2) + Number(kinds >= 3)
  const score = distinct < 5 ? 1 : (Math.max(1, Math.min(4, points)) as 1 | 2 | 3 | 4)
  return { score, label: labels[score] }
}
