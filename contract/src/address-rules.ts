import { formatAddress } from 'localized-address-format'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'

/*
 * How addresses are written in each country (ADR 60). Browser and server share it, so the server never refuses an
 * address that the form accepted.
 */

const ADDRESS_FIELDS = ['name', 'line1', 'line2', 'city', 'region', 'postalCode'] as const

export type AddressField = (typeof ADDRESS_FIELDS)[number]

/** Empty for fields that a country does not use. */
export type AddressParts = Record<AddressField | 'country', string>

export interface AddressIssue {
  field: AddressField
  message: string
}

export interface AddressFieldRule {
  field: AddressField
  label: string
  isRequired: boolean
}

const words = (text: string) => new Set(text.split(' '))

/** The countries of Google's libaddressinput, and all of the European Union except Ireland. */
const POSTAL_CODE_REQUIRED = words(
  'AS AT AU AX BE BG BL BR CA CH CN CY CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HR HU IM IN IO IT JE JP KR LI ' +
    'LT LU LV MF MH MP MQ MT MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SI SJ SK SM TC TR TW UA US VI WF ' +
    'YT ZA',
)

/** The countries of Google's libaddressinput. */
const REGION_REQUIRED = words(
  'AE AS AU BR CA CN CO CR ES FM GU HK HN ID IN IQ IT JM JP KN KR KY MH MP NR PF PG PW RU SO SV TW UA UM US VE VI',
)

const CITY_LABELS: Record<string, string> = {
  'Town or city': 'GB GG IM JE IE',
  'Suburb or city': 'AU',
  District: 'HK TR',
}

const REGION_LABELS: Record<string, string> = {
  State: 'AS AU BR FM GU IN MH MP MX MY NG PW UM US VE VI',
  Emirate: 'AE',
  Island: 'BS CV KI KN KY PF SC TV',
  Parish: 'BB JM',
  Department: 'CO NI',
  Area: 'HK',
  County: 'IE TW',
  Prefecture: 'JP',
  'Province or city': 'KR',
  District: 'NR',
  Oblast: 'RU UA',
}

const POSTAL_CODE_LABELS: Record<string, string> = {
  'ZIP code': 'AS FM GU MH MP PR PW UM US VI',
  Postcode: 'AU GB GG IM JE MY NZ',
  'PIN code': 'IN',
  Eircode: 'IE',
}

const findLabel = (labels: Record<string, string>, country: string, usual: string): string =>
  Object.entries(labels).find(([, countries]) => words(countries).has(country))?.[0] ?? usual

function labelOf(field: AddressField, country: string): string {
  switch (field) {
    case 'name':
      return 'Full name'
    case 'line1':
      return 'Address'
    case 'line2':
      return 'Apartment, floor, building'
    case 'city':
      return findLabel(CITY_LABELS, country, 'City')
    case 'region':
      return findLabel(REGION_LABELS, country, 'Province')
    case 'postalCode':
      return findLabel(POSTAL_CODE_LABELS, country, 'Postal code')
  }
}

function isRequired(field: AddressField, country: string): boolean {
  switch (field) {
    case 'line2':
      return false
    case 'region':
      return REGION_REQUIRED.has(country)
    case 'postalCode':
      return POSTAL_CODE_REQUIRED.has(country)
    default:
      return true
  }
}

/** A placeholder for each field. These characters never occur in address formats. */
const MARKS: Record<AddressField, string> = {
  name: '\u0001',
  line1: '\u0002',
  line2: '\u0003',
  city: '\u0004',
  region: '\u0005',
  postalCode: '\u0006',
}

/** The fields of an address in a country, in the order in which it is written there. */
export function getAddressFields(country: string): AddressFieldRule[] {
  const written = writeLines({ ...MARKS, country }, 'latin').join('')
  const position = (field: AddressField) => written.indexOf(MARKS[field])
  return ADDRESS_FIELDS.filter((field) => position(field) >= 0)
    .toSorted((one, two) => position(one) - position(two))
    .map((field) => ({ field, label: labelOf(field, country), isRequired: isRequired(field, country) }))
}

function writeLines(address: AddressParts, script: Script, ...moreLines: string[]): string[] {
  const { name, line1, line2, city, region, postalCode, country } = address
  return formatAddress(
    {
      postalCountry: country,
      name,
      addressLines: [line1, line2, ...moreLines],
      locality: city,
      administrativeArea: region,
      postalCode,
    },
    script,
  )
}

type Script = 'latin' | 'local'

/** The script of an address: Latin, unless it contains other letters. */
const findScript = (address: AddressParts): Script =>
  /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(Object.values(address).join(''))
    ? 'local'
    : 'latin'

/** The lines of an address as on a label in its country, without the country. */
export function formatAddressLines(address: AddressParts): string[] {
  const script = findScript(address)
  const lines = writeLines(address, script)
  const written = lines.join('\n').toLowerCase()
  // Parts that the format omits must still be on the label.
  const missing = [address.city, address.region, address.postalCode].filter(
    (part) => !written.includes(part.toLowerCase()),
  )
  return missing.length > 0 ? writeLines(address, script, missing.join(' ')) : lines
}

/** Countries whose postal codes have a dash that people often leave out, and the number of digits before it. */
const DASHED_POSTAL_CODES: Record<string, number> = { JP: 3, PL: 2 }

/** Writes the postal code in its country's usual format. */
export function normalizeAddress<Address extends AddressParts>(address: Address): Address {
  const postalCode = address.postalCode.replace(/\s+/g, ' ').toUpperCase()
  const dashAfter = DASHED_POSTAL_CODES[address.country]
  const digits = postalCode.replace(/[\s\p{Pd}]/gu, '')
  if (!dashAfter || !/^\d+$/.test(digits)) return { ...address, postalCode }
  return { ...address, postalCode: `${digits.slice(0, dashAfter)}-${digits.slice(dashAfter)}` }
}

/** The library knows only the long form for Argentina, but most people use the four digits. */
const isShortArgentinian = (postalCode: string, country: string) =>
  country === 'AR' && /^\d{4}$/.test(postalCode)

function isPostalCode(postalCode: string, country: string): boolean {
  if (!postcodeValidatorExistsForCountry(country)) return true
  return isShortArgentinian(postalCode, country) || postcodeValidator(postalCode, country)
}

/**
 * Returns the missing and invalid fields of a normalized address. A region that the postal code implies may be missing:
 * not every client has a field for it.
 */
export function findAddressIssues(address: AddressParts): AddressIssue[] {
  const { country, postalCode } = address
  const fields = getAddressFields(country)
  const missing = fields
    .filter(({ field, isRequired }) => isRequired && !address[field])
    .filter(({ field }) => field !== 'region' || !postalCode)
    .map(({ field, label }) => ({ field, message: `${label} is required` }))
  const rule = fields.find(({ field }) => field === 'postalCode')
  if (!rule || !postalCode || isPostalCode(postalCode, country)) return missing
  return [
    ...missing,
    { field: 'postalCode', message: `This is not a valid ${rule.label.replace(/^Post/, 'post')}` },
  ]
}
