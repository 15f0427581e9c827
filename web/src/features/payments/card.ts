import { formatInGroups } from '../../ui/grouped-text.ts'

/* What can be known of a card before anybody is asked about it. Nothing here is kept. */

export interface CardFields {
  number: string
  /** As it stands on the card: 'MM / YY'. */
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

/** In the groups that are embossed on the card. */
export function groupCardNumber(text: string): string {
  const digits = digitsOf(text)
  return isAmex(digits)
    ? formatInGroups(digits.slice(0, 15), 4, 6, 5)
    : formatInGroups(digits.slice(0, 19), 4)
}

/** 'MM / YY'. A month that can only be one digit gets its zero; a whole date that is pasted loses its century. */
export function groupExpiry(text: string): string {
  const typed = digitsOf(text)
  const digits = /^[2-9]/.test(typed) ? `0${typed}` : typed
  const [month, year] = [digits.slice(0, 2), digits.length === 6 ? digits.slice(4) : digits.slice(2, 4)]
  return year ? `${month} / ${year}` : month
}

/** The sum by Luhn, which catches a digit that is wrong and most that have changed places. */
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

/** A card is good to the end of its month. */
function hasPassed({ month, year }: Expiry, now: Date): boolean {
  return now >= new Date(year, month, 1)
}

/** What is wrong with the fields, as far as one can tell without the bank; empty if nothing is. */
export function checkCard(card: CardFields, now: Date): CardErrors {
  return Object.fromEntries(
    Object.entries({
      number: checkNumber(card.number),
      expiry: checkExpiry(card.expiry, now),
      cvc: checkCvc(card),
      name: card.name.trim() ? undefined : 'Enter the name on the card.',
      email: /^\S+@\S+\.\S+$/.test(card.email.trim()) ? undefined : 'Invalid email address',
      postalCode: card.postalCode.trim() ? undefined : 'Enter your postal code.',
    }).filter(([, message]) => message !== undefined),
  )
}

function checkNumber(number: string): string | undefined {
  const digits = digitsOf(number)
  if (digits.length === 0) return 'Enter the number of your card.'
  if (digits.length < (isAmex(digits) ? 15 : 13)) return 'This card number is incomplete.'
  return hasValidChecksum(digits) ? undefined : 'This card number is not valid.'
}

function checkExpiry(expiry: string, now: Date): string | undefined {
  const parsed = parseExpiry(expiry)
  if (!parsed) return 'Enter MM / YY.'
  return hasPassed(parsed, now) ? 'This card has expired.' : undefined
}

function checkCvc({ number, cvc }: CardFields): string | undefined {
  const wanted = isAmex(digitsOf(number)) ? 4 : 3
  return cvc.length === wanted ? undefined : `Enter the ${wanted} digits.`
}
