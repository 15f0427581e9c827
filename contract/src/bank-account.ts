import { countrySpecs, isValidBIC, ValidationErrorsIBAN, validateIBAN } from 'ibantools'
import type { SELLER_COUNTRIES } from './constants.ts'

/*
 * The bank fields of each country and their validation (ADR 34). Browser and server share it, so the server
 * never refuses a number that the form accepted.
 */

const NUMBER_FIELDS = [
  'routing_number',
  'account_number',
  'iban',
  'swift_code',
  'sort_code',
  'bsb_code',
] as const

/** Fields that identify an account. */
export type BankField = (typeof NUMBER_FIELDS)[number] | 'bank_name'

type BankFields = { [field in BankField]?: string | undefined } & { country: string }

export interface BankIssue {
  field: BankField
  message: string
}

/** Returns an error message, or undefined if the value is valid. */
type Check = (value: string, country: string) => string | undefined

const matches =
  (pattern: RegExp, message: string): Check =>
  (value) =>
    pattern.test(value) ? undefined : message

const digits = (min: number, max: number) =>
  matches(
    new RegExp(`^\\d{${min},${max}}$`),
    min === max ? `Must have ${min} digits` : `Must have ${min} to ${max} digits`,
  )

const checkSortCode = matches(/^\d{6}$/, 'A sort code has 6 digits')
const checkBsb = matches(/^\d{6}$/, 'A BSB has 6 digits')
/** Transit and institution number as on a cheque (5 + 3 digits) or in electronic payments (0, 3 + 5 digits). */
const checkCanadianRouting = matches(
  /^(\d{8}|0\d{8})$/,
  'Must be the transit and institution numbers, 8 digits',
)
/** For countries whose format we do not know. */
const checkOtherAccount = matches(/^[A-Z\d]{4,34}$/, 'Must have 4 to 34 letters or digits')

/** The prefixes of Federal Reserve districts, thrift institutions, electronic payments and traveller's cheques. */
const ABA_ROUTING_NUMBER = /^(?!0{9})(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)\d{7}$/
const ABA_WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

const checkAbaRouting: Check = (value) => {
  const sum = ABA_WEIGHTS.reduce((total, weight, index) => total + weight * Number(value[index]), 0)
  return ABA_ROUTING_NUMBER.test(value) && sum % 10 === 0 ? undefined : 'This is not a US routing number'
}

const checkIban: Check = (value, country) => {
  const { valid, errorCodes } = validateIBAN(value)
  const isOfCountry = value.startsWith(country)
  if (valid) return isOfCountry ? undefined : `An IBAN of this country begins with ${country}`
  const length = countrySpecs[country as keyof typeof countrySpecs]?.chars
  return isOfCountry && length && errorCodes.includes(ValidationErrorsIBAN.WrongBBANLength)
    ? `An IBAN of this country has ${length} characters`
    : 'This is not a valid IBAN'
}

const checkSwift: Check = (value) =>
  isValidBIC(value) ? undefined : 'This is not a valid SWIFT code (8 or 11 characters)'

/** Checks that apply in every country. */
const commonChecks: { [field in BankField]?: Check } = {
  iban: checkIban,
  swift_code: checkSwift,
  sort_code: checkSortCode,
  bsb_code: checkBsb,
}

interface BankCountry {
  /** Required fields. In each inner list, one field is enough. */
  required: readonly (readonly BankField[])[]
  /** Every form has the `generic` field. Users in this country may enter their `specific` number in it. */
  alias?: { generic: BankField; specific: BankField }
  checks?: { [field in BankField]?: Check }
}

const ibanCountry: BankCountry = {
  required: [['iban']],
  alias: { generic: 'account_number', specific: 'iban' },
}

const bankCountries: Record<(typeof SELLER_COUNTRIES)[number], BankCountry> = {
  US: {
    required: [['routing_number'], ['account_number']],
    checks: { routing_number: checkAbaRouting, account_number: digits(4, 17) },
  },
  GB: {
    required: [['sort_code'], ['account_number']],
    alias: { generic: 'routing_number', specific: 'sort_code' },
    checks: { account_number: digits(8, 8) },
  },
  AU: {
    required: [['bsb_code'], ['account_number']],
    alias: { generic: 'routing_number', specific: 'bsb_code' },
    checks: { account_number: digits(5, 9) },
  },
  CA: {
    required: [['routing_number'], ['account_number']],
    checks: { routing_number: checkCanadianRouting, account_number: digits(5, 12) },
  },
  MY: {
    required: [['account_number'], ['swift_code', 'bank_name']],
    alias: { generic: 'routing_number', specific: 'swift_code' },
    checks: { account_number: digits(7, 17) },
  },
  DE: ibanCountry,
  FR: ibanCountry,
}

const otherCountry: BankCountry = {
  required: [['iban', 'account_number']],
  checks: { account_number: checkOtherAccount },
}

const countries = new Map<string, BankCountry>(Object.entries(bankCountries))
const getCountry = (country: string) => countries.get(country) ?? otherCountry

/** The required fields of a country. In each inner list, one field is enough. */
export function getRequiredBankFields(country: string): readonly (readonly BankField[])[] {
  return getCountry(country).required
}

/** Removes spaces and dashes from numbers, and copies a number from the generic field to its specific one. */
export function normalizeBankAccount<Form extends BankFields>(form: Form): Form {
  const normalized: { [field in BankField]?: string } = {}
  for (const field of NUMBER_FIELDS) {
    const value = form[field]
    if (value !== undefined) normalized[field] = value.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  }
  const { alias } = getCountry(form.country)
  if (alias && !normalized[alias.specific]) normalized[alias.specific] = normalized[alias.generic] ?? ''
  return { ...form, ...normalized }
}

/** Returns all missing and invalid fields of a normalized form. */
export function validateBankAccount(form: BankFields): BankIssue[] {
  const { required, checks } = getCountry(form.country)
  const missing = required
    .filter((fields) => !fields.some((field) => form[field]))
    .flatMap(([field]) => (field ? [{ field, message: 'Required' }] : []))
  const invalid = NUMBER_FIELDS.flatMap((field) => {
    const check = checks?.[field] ?? commonChecks[field]
    const value = form[field]
    const message = value && check?.(value, form.country)
    return message ? [{ field: findEnteredField(field, form), message }] : []
  })
  return [...missing, ...invalid, ...findConflicts(form)]
}

/** The field where the user typed the number and where the error must be shown. */
function findEnteredField(field: BankField, form: BankFields): BankField {
  const { alias } = getCountry(form.country)
  return alias?.specific === field && form[alias.generic] === form[field] ? alias.generic : field
}

/**
 * Finds fields with two different valid numbers for the same purpose, because a payout could go to the wrong
 * account.
 */
function findConflicts(form: BankFields): BankIssue[] {
  const { alias } = getCountry(form.country)
  if (!alias) return []
  const [generic, specific] = [form[alias.generic], form[alias.specific]]
  if (!generic || generic === specific || commonChecks[alias.specific]?.(generic, form.country)) return []
  return [{ field: alias.generic, message: `Differs from the ${FIELD_NAMES[alias.specific]} you entered` }]
}

const FIELD_NAMES: Record<BankField, string> = {
  routing_number: 'routing number',
  account_number: 'account number',
  iban: 'IBAN',
  swift_code: 'SWIFT code',
  sort_code: 'sort code',
  bsb_code: 'BSB',
  bank_name: 'bank name',
}
