import { formatInGroups } from '../../ui/forms/grouped-text.ts'

/* The checks of card fields that the browser can make without the bank. Nothing is stored. */

export interface CardFields {
  number: string
  /** 'MM / YY', as printed on the card. */
  expiry: string
  cvc: string
  name: string
  email: string
  postalCode: string
  country: string
}

export type CardErrors = Partial<Record<keyof CardFields, string>>

const digitsOf = (text: string) => text.replace(/\D/g, '')

const isAmex = (digits: string) => /^3[47]/.test(digits)

/** Groups the digits as on the card. */
export function groupCardNumber(text: string): string {
  const digits = digitsOf(text)
  return isAmex(digits)
    ? formatInGroups(digits.slice(0, 15), 4, 6, 5)
    : formatInGroups(digits.slice(0, 19), 4)
}

/** Formats as 'MM / YY': '4' becomes '04', and a pasted '12/2034' becomes '12 / 34'. */
export function groupExpiry(text: string): string {
  const typed = digitsOf(text)
  const digits = /^[2-9]/.test(typed) ? `0${typed}` : typed
  const [month, year] = [digits.slice(0, 2), digits.length === 6 ? digits.slice(4) : digits.slice(2, 4)]
  return year ? `${month} / ${year}` : month
}

/** The Luhn checksum, which detects a wrong digit and most swapped digits. */
export function hasValidChecksum(number: string): boolean {
  const digits = [...digitsOf(number)].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits.length > 0 && sum % 10 === 0
}

export interface Expiry {
  month: number
  year: number
}

export function parseExpiry(expiry: string): Expiry | null {
  const [, month = '', year = ''] = /^(\d{2}) \/ (\d{2})$/.exec(expiry) ?? []
  return Number(month) >= 1 && Number(month) <= 12
    ? { month: Number(month), year: 2000 + Number(year) }
    : null
}

/** A card is valid until the end of its month. */
function isExpired({ month, year }: Expiry, now: Date): boolean {
  return now >= new Date(year, month, 1)
}

/** The errors of each invalid field. Empty if all fields are valid. */
export function validateCard(card: CardFields, now: Date): CardErrors {
  return Object.fromEntries(
    Object.entries({
      number: validateNumber(card.number),
      expiry: validateExpiry(card.expiry, now),
      cvc: validateCvc(card),
      name: card.name.trim() ? undefined : 'Enter the name on the card.',
      email: /^\S+@\S+\.\S+$/.test(card.email.trim()) ? undefined : 'Invalid email address',
      postalCode: card.postalCode.trim() ? undefined : 'Enter your postal code.',
    }).filter(([, message]) => message !== undefined),
  )
}

function validateNumber(number: string): string | undefined {
  const digits = digitsOf(number)
  if (digits.length === 0) return 'Enter your card number.'
  if (digits.length < (isAmex(digits) ? 15 : 13)) return 'This card number is incomplete.'
  return hasValidChecksum(digits) ? undefined : 'This card number is not valid.'
}

function validateExpiry(expiry: string, now: Date): string | undefined {
  const parsed = parseExpiry(expiry)
  if (!parsed) return 'Enter the date as MM / YY.'
  return isExpired(parsed, now) ? 'This card has expired.' : undefined
}

function validateCvc({ number, cvc }: CardFields): string | undefined {
  const length = isAmex(digitsOf(number)) ? 4 : 3
  return cvc.length === length ? undefined : `Enter the ${length}-digit code.`
}
