import type { SELLER_COUNTRIES } from './constants.ts'

/*
 * What a bank account is known by in each country, and how its numbers are checked. Browser and server
 * ask the same functions, so that a form that was let through is never turned down for a number.
 */

const NUMBERS = ['routing_number', 'account_number', 'iban', 'swift_code', 'sort_code', 'bsb_code'] as const

/** What a bank finds an account by. */
export type BankField = (typeof NUMBERS)[number] | 'bank_name'

type BankFields = { [field in BankField]?: string | undefined } & { country: string }

export interface BankIssue {
  field: BankField
  message: string
}

/** Gives what is wrong with a number, or nothing. */
type Check = (value: string, country: string) => string | undefined

const shaped =
  (shape: RegExp, wrong: string): Check =>
  (value) =>
    shape.test(value) ? undefined : wrong

const digits = (least: number, most: number) =>
  shaped(
    new RegExp(`^\\d{${least},${most}}$`),
    least === most ? `Must have ${least} digits` : `Must have ${least} to ${most} digits`,
  )

const sortCode = shaped(/^\d{6}$/, 'A sort code has 6 digits')
const bsb = shaped(/^\d{6}$/, 'A BSB has 6 digits')
const swift = shaped(/^[A-Z]{6}[A-Z\d]{2}([A-Z\d]{3})?$/, 'A SWIFT code has 8 or 11 characters')
/** Transit and institution as on a cheque (5 + 3 digits), or as in electronic payments (0, 3 + 5 digits). */
const canadian = shaped(/^(\d{8}|0\d{8})$/, 'Must be the transit and institution numbers, 8 digits')
/** The unusual account is somebody's too: where we know no rule, we only look that it is a number at all. */
const foreign = shaped(/^[A-Z\d]{4,34}$/, 'Must have 4 to 34 letters or digits')

/** The Federal Reserve's districts, thrift institutions, electronic and traveller's-cheque numbers. */
const ABA = /^(?!0{9})(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/
const ABA_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

const aba: Check = (value) => {
  const sum = ABA_WEIGHTS.reduce((total, weight, at) => total + weight * Number(value[at]), 0)
  return ABA.test(value) && sum % 10 === 0 ? undefined : 'This is not a US routing number'
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/

const iban: Check = (value, country) => {
  if (!IBAN.test(value) || remainderOf97(value) !== 1) return 'This is not a valid IBAN'
  if (!value.startsWith(country)) return `An IBAN of this country begins with ${country}`
  const { ibanLength = value.length } = ruleOf(country)
  return value.length === ibanLength ? undefined : `An IBAN of this country has ${ibanLength} characters`
}

/** ISO 7064: the first four characters go to the end, letters become 10 to 35, the whole is divided by 97. */
function remainderOf97(value: string): number {
  const numbers = [...value.slice(4), ...value.slice(0, 4)].map((sign) => Number.parseInt(sign, 36))
  return [...numbers.join('')].reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0)
}

/** What is checked wherever it is given. */
const everywhere: { [field in BankField]?: Check } = {
  iban,
  swift_code: swift,
  sort_code: sortCode,
  bsb_code: bsb,
}

interface BankCountry {
  /** Each of these is needed; of those that stand together, any one. */
  needs: readonly (readonly BankField[])[]
  /** A field that every form has, and the one that people mean by it in this country. */
  meant?: { by: BankField; field: BankField }
  checks?: { [field in BankField]?: Check }
  /** As the registry of ISO 13616 has it. */
  ibanLength?: number
}

const byIban: BankCountry = { needs: [['iban']], meant: { by: 'account_number', field: 'iban' } }

const bankCountries: Record<(typeof SELLER_COUNTRIES)[number], BankCountry> = {
  US: {
    needs: [['routing_number'], ['account_number']],
    checks: { routing_number: aba, account_number: digits(4, 17) },
  },
  GB: {
    needs: [['sort_code'], ['account_number']],
    meant: { by: 'routing_number', field: 'sort_code' },
    checks: { account_number: digits(8, 8) },
    ibanLength: 22,
  },
  AU: {
    needs: [['bsb_code'], ['account_number']],
    meant: { by: 'routing_number', field: 'bsb_code' },
    checks: { account_number: digits(5, 9) },
  },
  CA: {
    needs: [['routing_number'], ['account_number']],
    checks: { routing_number: canadian, account_number: digits(5, 12) },
  },
  MY: {
    needs: [['account_number'], ['swift_code', 'bank_name']],
    meant: { by: 'routing_number', field: 'swift_code' },
    checks: { account_number: digits(7, 17) },
  },
  DE: { ...byIban, ibanLength: 22 },
  FR: { ...byIban, ibanLength: 27 },
}

const elsewhere: BankCountry = {
  needs: [['iban', 'account_number']],
  checks: { account_number: foreign },
}

const rules = new Map<string, BankCountry>(Object.entries(bankCountries))
const ruleOf = (country: string) => rules.get(country) ?? elsewhere

/** What a country's form asks for; of those that stand together, any one. */
export function getRequiredBankFields(country: string): readonly (readonly BankField[])[] {
  return ruleOf(country).needs
}

/** The form without the spaces and dashes that people write numbers with, and with each number in its own field. */
export function normalizeBankAccount<Form extends BankFields>(form: Form): Form {
  const tidied: { [field in BankField]?: string } = {}
  for (const field of NUMBERS) {
    const value = form[field]
    if (value !== undefined) tidied[field] = value.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  }
  const { meant } = ruleOf(form.country)
  if (meant && !tidied[meant.field]) tidied[meant.field] = tidied[meant.by] ?? ''
  return { ...form, ...tidied }
}

/** Everything that is missing or wrong in a form that was tidied. */
export function validateBankAccount(form: BankFields): BankIssue[] {
  const { needs, checks } = ruleOf(form.country)
  const missing = needs
    .filter((fields) => !fields.some((field) => form[field]))
    .flatMap(([field]) => (field ? [{ field, message: 'Required' }] : []))
  const wrong = NUMBERS.flatMap((field) => {
    const check = checks?.[field] ?? everywhere[field]
    const value = form[field]
    const message = value && check?.(value, form.country)
    return message ? [{ field: writtenIn(field, form), message }] : []
  })
  return [...missing, ...wrong, ...contradictions(form)]
}

/** The field that a person wrote a number into, which is where they look for what is wrong with it. */
function writtenIn(field: BankField, form: BankFields): BankField {
  const { meant } = ruleOf(form.country)
  return meant?.field === field && form[meant.by] === form[field] ? meant.by : field
}

/** Two numbers for one thing, each a good one: nobody could say where the money should go. */
function contradictions(form: BankFields): BankIssue[] {
  const { meant } = ruleOf(form.country)
  if (!meant) return []
  const [given, own] = [form[meant.by], form[meant.field]]
  if (!given || given === own || everywhere[meant.field]?.(given, form.country)) return []
  return [{ field: meant.by, message: 'Another number than the one given beside it' }]
}
