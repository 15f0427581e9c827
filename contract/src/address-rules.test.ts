import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AddressParts, formatAddressLines, getAddressFields, normalizeAddress } from './address-rules.ts'
import { DELIVERY_COUNTRIES, DeliveryAddress } from './delivery-address.ts'

const address = (fields: Partial<AddressParts>): AddressParts => ({
  name: 'Ada Tester',
  line1: '548 Market St',
  line2: '',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94104',
  country: 'US',
  ...fields,
})

/** The errors of an address, as [field, message]. */
function issuesOf(fields: object) {
  const parsed = DeliveryAddress.safeParse(address(fields))
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => [path.join('.'), message])
}

describe('the address fields', () => {
  test.each([
    ['US', 'Full name*, Address*, Apartment, floor, building, City*, State*, ZIP code*'],
    ['DE', 'Full name*, Address*, Apartment, floor, building, Postal code*, City*'],
    ['GB', 'Full name*, Address*, Apartment, floor, building, Town or city*, Postcode*'],
    ['MY', 'Full name*, Address*, Apartment, floor, building, Postcode*, City*, State'],
    ['HU', 'Full name*, City*, Address*, Apartment, floor, building, Postal code*'],
    ['IE', 'Full name*, Address*, Apartment, floor, building, Town or city*, County, Eircode'],
    ['HK', 'Full name*, Address*, Apartment, floor, building, District*, Area*'],
    ['SG', 'Full name*, Address*, Apartment, floor, building, Postal code*'],
    ['IN', 'Full name*, Address*, Apartment, floor, building, City*, PIN code*, State*'],
  ])('of %s are in the order in which its addresses are written', (country, expected) => {
    const labels = getAddressFields(country).map(({ label, isRequired }) =>
      isRequired ? `${label}*` : label,
    )
    expect(labels.join(', ')).toBe(expected)
  })

  test('contain a name and two address lines in every country', () => {
    expect(DELIVERY_COUNTRIES).toHaveLength(250)
    for (const country of DELIVERY_COUNTRIES) {
      const fields = getAddressFields(country).map(({ field }) => field)
      expect(fields, country).toEqual(expect.arrayContaining(['name', 'line1', 'line2']))
    }
  })
})

describe('an address on a label', () => {
  test.each<[string, Partial<AddressParts>, string[]]>([
    ['US', {}, ['Ada Tester', '548 Market St', 'San Francisco, CA 94104']],
    [
      'DE',
      { country: 'DE', line1: 'Rosenweg 7', line2: '2. OG', city: 'Berlin', region: '', postalCode: '10115' },
      ['Ada Tester', 'Rosenweg 7', '2. OG', '10115 Berlin'],
    ],
    [
      'JP',
      { country: 'JP', name: '山田', line1: '千代田1-1', city: '', region: '東京都', postalCode: '100-0001' },
      ['〒100-0001', '東京都', '千代田1-1', '山田'],
    ],
    [
      'SG',
      { country: 'SG', line1: '1 Marina Blvd', city: 'Singapore', region: '', postalCode: '018989' },
      ['Ada Tester', '1 Marina Blvd', 'SINGAPORE 018989'],
    ],
    [
      'AE, with a city and a postal code that its format does not have',
      { country: 'AE', line1: 'Al Wasl Rd 3', city: 'Jumeirah', region: 'Dubai', postalCode: '00000' },
      ['Ada Tester', 'Al Wasl Rd 3', 'Jumeirah 00000', 'Dubai'],
    ],
  ])('of %s', (_, fields, lines) => {
    expect(formatAddressLines(address(fields))).toEqual(lines)
  })

  test('contains everything that was entered, in every country', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    fc.assert(
      fc.property(
        fc.constantFrom(...DELIVERY_COUNTRIES),
        fc.record({ line1: word, line2: word, city: word, region: word, postalCode: word }),
        (country, fields) => {
          const label = formatAddressLines(address({ ...fields, country }))
            .join('\n')
            .toLowerCase()
          for (const part of Object.values(fields)) expect(label).toContain(part)
        },
      ),
    )
  })
})

describe('a postal code', () => {
  test.each([
    ['US', '94104-1234'],
    ['GB', 'ec1a 1bb'],
    ['GB', 'EC1A1BB'],
    ['CA', 'k1a 0b1'],
    ['NL', '1012 ab'],
    ['JP', '1000001'],
    ['PL', '00950'],
    ['PL', '00-950'],
    ['AR', '1425'],
    ['AR', 'C1425CLA'],
    ['MY', '50480'],
    ['IE', ''],
    ['IE', 'D02 AF30'],
    ['AG', 'anything'],
  ])('of %s can be %j', (country, postalCode) => {
    expect(issuesOf({ country, postalCode })).toEqual([])
  })

  test.each([
    ['US', '9410', 'This is not a valid ZIP code'],
    ['US', 'ABCDE', 'This is not a valid ZIP code'],
    ['US', '', 'ZIP code is required'],
    ['GB', '12345', 'This is not a valid postcode'],
    ['DE', '1011', 'This is not a valid postal code'],
    ['DE', '', 'Postal code is required'],
    ['IN', '1100', 'This is not a valid PIN code'],
    ['IE', '12345', 'This is not a valid Eircode'],
    ['SG', '', 'Postal code is required'],
  ])('of %s cannot be %j', (country, postalCode, message) => {
    expect(issuesOf({ country, postalCode })).toEqual([['postalCode', message]])
  })

  test('is formatted as is usual in its country', () => {
    const write = (country: string, postalCode: string) =>
      normalizeAddress(address({ country, postalCode })).postalCode
    expect(write('JP', '100 0001')).toBe('100-0001')
    expect(write('PL', '00950')).toBe('00-950')
    expect(write('GB', 'ec1a  1bb')).toBe('EC1A 1BB')
  })
})

test('a country without postal codes requires the region; other countries accept a postal code instead', () => {
  expect(issuesOf({ country: 'AE', city: '', region: '', postalCode: '' })).toEqual([
    ['region', 'Emirate is required'],
  ])
  expect(issuesOf({ region: '' })).toEqual([])
  expect(issuesOf({ city: '' })).toEqual([['city', 'City is required']])
})

test('every field is one line, and the country must be a known code', () => {
  const read = (fields: object) => DeliveryAddress.safeParse({ ...address({}), ...fields }).success
  expect(read({})).toBe(true)
  expect(read({ name: 'Ada\nTester' })).toBe(false)
  expect(read({ line2: 'a\u2028b' })).toBe(false)
  expect(read({ line1: ' ' })).toBe(false)
  expect(read({ country: 'XX' })).toBe(false)
  expect(read({ country: 'us' })).toBe(false)
  expect(read({ city: 'x'.repeat(101) })).toBe(false)
})

test('texts are trimmed, and optional fields may be left out', () => {
  const given = { name: ' Ada ', line1: '1 St', city: 'Ipoh', postalCode: '30000', country: 'MY' }
  expect(DeliveryAddress.parse(given)).toEqual({ ...given, name: 'Ada', line2: '', region: '' })
})
