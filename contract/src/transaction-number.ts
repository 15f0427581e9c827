/*
 * The number of a payment that people see, such as 4F7K-Q2MX-9TBD (ADR 50): eleven random characters of Crockford's
 * base 32 and a check character, in groups of four. The database generates it (`new_transaction_number`).
 */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** Ignores case, hyphens and spaces, and reads letters as the digits that they resemble. */
function readCharacters(text: string): string {
  return text
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
}

/** Multiplies by two in the field of 32 elements. */
const double = (value: number) => (value << 1) ^ (value >= 16 ? 37 : 0)

/** The check detects every wrong character and every swap of two. */
const isValid = (characters: string) =>
  [...characters].reduce((sum, character) => double(sum) ^ ALPHABET.indexOf(character), 0) === 0

const hasForm = (characters: string) =>
  characters.length === LENGTH && [...characters].every((character) => ALPHABET.includes(character))

/**
 * Whether a text looks like a transaction number, with a correct or wrong check character. Words without a digit do
 * not.
 */
export function isLikeTransactionNumber(text: string): boolean {
  return /\d/.test(text) && hasForm(readCharacters(text))
}

/** The stored form of the number, or null if the text is not one or its check character is wrong. */
export function parseTransactionNumber(text: string): string | null {
  const characters = readCharacters(text)
  if (!hasForm(characters) || !isValid(characters)) return null
  return `${characters.slice(0, 4)}-${characters.slice(4, 8)}-${characters.slice(8)}`
}
