import { describe, expect, test } from 'vitest'
import { getRequiredBankFields } from './bank-account.ts'
import { SELLER_COUNTRIES } from './constants.ts'
import { BankAccount } from './sellers.ts'

/** The parsed form, or its errors as [field, message]. */
function read(form: object) {
  const parsed = BankAccount.safeParse({ account_holder_name: 'Ada Tester', ...form })
  return parsed.success
    ? parsed.data
    : parsed.error.issues.map(({ path, message }) => [path.join('.'), message])
}

const us = (routing_number: string, account_number = '000123456789') =>
  read({ country: 'US', routing_number, account_number })

describe('a US routing number', () => {
  // The Federal Reserve Banks of Boston and New York, Chase, Bank of America, Wells Fargo, GoCardless' and Stripe's tests.
  test.each(['011000015', '021001208', '021000021', '026009593', '121000248', '026073150', '110000000'])(
    '%s is valid',
    (routing) => {
      expect(us(routing)).toMatchObject({ country: 'US', routing_number: routing, account_type: 'checking' })
    },
  )

  test.each([
    ['a wrong digit', '021000022'],
    ['two digits swapped', '012000021'],
    ['an unknown district', '500000005'],
    ['eight digits', '02100002'],
    ['ten digits', '0210000210'],
    ['only zeros', '000000000'],
    ['a letter', '02100002A'],
    ['digits of another script', '٠٢١٠٠٠٠٢١'],
  ])('with %s is refused', (_, routing) => {
    expect(us(routing)).toEqual([['routing_number', 'This is not a US routing number']])
  })

  test.each(['123', '123456789012345678', '12E4567'])('is refused with the account number %s', (account) => {
    expect(us('021000021', account)).toEqual([['account_number', 'Must have 4 to 17 digits']])
  })
})

describe('an IBAN', () => {
  // Examples from the ISO 13616 registry.
  test.each([
    ['DE', 'DE89370400440532013000'],
    ['DE', 'DE89 3704 0044 0532 0130 00'],
    ['DE', 'de89-3704-0044-0532-0130-00'],
    ['FR', 'FR1420041010050500013M02606'],
    ['NL', 'NL91ABNA0417164300'],
    ['MT', 'MT84MALT011000012345MTLCAST001S'],
    ['NO', 'NO9386011117947'],
    ['BR', 'BR1800360305000010009795493C1'],
  ])('of %s is valid: %s', (country, iban) => {
    expect(read({ country, iban })).toMatchObject({ iban: iban.replace(/[ -]/g, '').toUpperCase() })
  })

  test.each([
    ['with a wrong digit', 'DE', 'DE89370400440532013001', 'This is not a valid IBAN'],
    ['with two digits swapped', 'DE', 'DE98370400440532013000', 'This is not a valid IBAN'],
    ['of another country', 'DE', 'FR1420041010050500013M02606', 'An IBAN of this country begins with DE'],
    // The check digits of the next two are correct.
    ['that is too short', 'DE', 'DE863704004405320130', 'An IBAN of this country has 22 characters'],
    ['that is too long', 'FR', 'FR8420041010050500013M0260600', 'An IBAN of this country has 27 characters'],
    ['made of words', 'FR', 'my account', 'This is not a valid IBAN'],
    ['of an unknown country', 'XX', 'XX46370400440532013000', 'This is not a valid IBAN'],
    [
      'that is too short for the Netherlands',
      'NL',
      'NL91ABNA041716430',
      'An IBAN of this country has 18 characters',
    ],
    // The check digits of the IBAN are correct, but those of the Norwegian account in it are not.
    ['with wrong national check digits', 'NO', 'NO6686011117948', 'This is not a valid IBAN'],
  ])('%s is refused', (_, country, iban, message) => {
    expect(read({ country, iban })).toEqual([['iban', message]])
  })

  test('can be entered as the account number', () => {
    expect(read({ country: 'DE', account_number: 'DE89 3704 0044 0532 0130 00' })).toMatchObject({
      iban: 'DE89370400440532013000',
    })
    expect(read({ country: 'DE', account_number: '0532013000' })).toEqual([
      ['account_number', 'This is not a valid IBAN'],
    ])
  })

  test('can be given together with its national numbers', () => {
    const national = { routing_number: '37040044', account_number: '0532013000' }
    expect(read({ country: 'DE', iban: 'DE89370400440532013000', ...national })).toMatchObject(national)
  })

  test('conflicts with a different IBAN in the account number', () => {
    const two = { iban: 'DE89370400440532013000', account_number: 'DE75512108001245126199' }
    expect(read({ country: 'DE', ...two })).toEqual([['account_number', 'Differs from the IBAN you entered']])
  })
})

describe('other numbers', () => {
  test.each([
    ['a British sort code', { country: 'GB', sort_code: '200000', account_number: '55779911' }],
    ['an Australian BSB', { country: 'AU', bsb_code: '082082', account_number: '012345678' }],
    [
      'a Canadian transit and institution',
      { country: 'CA', routing_number: '00006003', account_number: '1234567' },
    ],
    [
      'a Canadian electronic routing number',
      { country: 'CA', routing_number: '000300006', account_number: '1234567' },
    ],
    [
      'a Malaysian account by SWIFT',
      { country: 'MY', swift_code: 'MBBEMYKL', account_number: '514012345678' },
    ],
    [
      'a Malaysian account by the bank’s name',
      { country: 'MY', bank_name: 'Maybank', account_number: '514012345678' },
    ],
    ['a New Zealand account', { country: 'NZ', account_number: '123113000386900' }],
  ])('%s', (_, form) => {
    expect(read(form)).toMatchObject(form)
  })

  test('are stored without spaces and dashes', () => {
    const british = { country: 'GB', sort_code: '20-00-00', account_number: '5577 9911' }
    expect(read(british)).toMatchObject({ sort_code: '200000', account_number: '55779911' })
    const american = { country: 'US', routing_number: '0210 0002 1', account_number: '0001-2345–6789' }
    expect(read(american)).toMatchObject({ routing_number: '021000021', account_number: '000123456789' })
  })

  test.each([
    ['GB', '20-00-00', '55779911', { sort_code: '200000' }],
    ['AU', '082-082', '012345678', { bsb_code: '082082' }],
    ['MY', 'mbbemykl', '514012345678', { swift_code: 'MBBEMYKL' }],
  ])('of %s can be entered as the routing number', (country, routing_number, account_number, kept) => {
    expect(read({ country, routing_number, account_number })).toMatchObject(kept)
  })

  test('an empty field counts as missing', () => {
    const form = {
      country: 'GB',
      sort_code: ' ',
      routing_number: '200000',
      account_number: '55779911',
      iban: '',
    }
    expect(read(form)).toMatchObject({ sort_code: '200000', iban: '' })
  })

  test('two different sort codes are refused', () => {
    const form = { country: 'GB', sort_code: '200000', routing_number: '400530', account_number: '55779911' }
    expect(read(form)).toEqual([['routing_number', 'Differs from the sort code you entered']])
  })

  test.each([
    [
      'US',
      [
        ['routing_number', 'Required'],
        ['account_number', 'Required'],
      ],
    ],
    [
      'GB',
      [
        ['sort_code', 'Required'],
        ['account_number', 'Required'],
      ],
    ],
    [
      'AU',
      [
        ['bsb_code', 'Required'],
        ['account_number', 'Required'],
      ],
    ],
    [
      'CA',
      [
        ['routing_number', 'Required'],
        ['account_number', 'Required'],
      ],
    ],
    [
      'MY',
      [
        ['account_number', 'Required'],
        ['swift_code', 'Required'],
      ],
    ],
    ['DE', [['iban', 'Required']]],
    ['FR', [['iban', 'Required']]],
    ['NZ', [['iban', 'Required']]],
  ])('%s lists the missing fields', (country, missing) => {
    expect(read({ country })).toEqual(missing)
  })

  test.each([
    [
      'a sort code of five digits',
      { country: 'GB', sort_code: '20000', account_number: '55779911' },
      'sort_code',
    ],
    [
      'a sort code of five digits in the routing number',
      { country: 'GB', routing_number: '20000', account_number: '55779911' },
      'routing_number',
    ],
    [
      'a British account of seven digits',
      { country: 'GB', sort_code: '200000', account_number: '5577991' },
      'account_number',
    ],
    [
      'a BSB of seven digits',
      { country: 'AU', bsb_code: '0820820', account_number: '012345678' },
      'bsb_code',
    ],
    [
      'an Australian account of ten digits',
      { country: 'AU', bsb_code: '082082', account_number: '0123456789' },
      'account_number',
    ],
    [
      'a Canadian routing number without its zero',
      { country: 'CA', routing_number: '100300006', account_number: '1234567' },
      'routing_number',
    ],
    [
      'a Canadian account of four digits',
      { country: 'CA', routing_number: '00006003', account_number: '1234' },
      'account_number',
    ],
    [
      'a SWIFT code of nine characters',
      { country: 'MY', swift_code: 'MBBEMYKLX', account_number: '514012345678' },
      'swift_code',
    ],
    [
      'a Malaysian account of six digits',
      { country: 'MY', bank_name: 'Maybank', account_number: '514012' },
      'account_number',
    ],
    [
      'an account of three characters in another country',
      { country: 'NZ', account_number: '123' },
      'account_number',
    ],
    [
      'an invalid IBAN together with valid numbers',
      { country: 'GB', sort_code: '200000', account_number: '55779911', iban: 'GB28NWBK60161331926819' },
      'iban',
    ],
  ])('%s is refused with an error on its field', (_, form, field) => {
    expect(read(form)).toMatchObject([[field, expect.any(String)]])
  })
})

describe('the form', () => {
  const fine = { routing_number: '021000021', account_number: '000123456789' }

  test('defaults to the United States and a checking account', () => {
    expect(read(fine)).toMatchObject({ country: 'US', account_type: 'checking' })
    expect(read({ ...fine, account_type: 'savings' })).toMatchObject({ account_type: 'savings' })
  })

  test.each([
    ['no holder name', { account_holder_name: ' ' }, 'account_holder_name'],
    ['an unknown account type', { account_type: 'gold' }, 'account_type'],
    ['a number that is not text', { account_number: 123456789 }, 'account_number'],
    ['a bank name that is too long', { bank_name: 'x'.repeat(201) }, 'bank_name'],
  ])('is refused with %s', (_, change, field) => {
    expect(read({ ...fine, ...change })).toMatchObject([[field, expect.any(String)]])
  })

  test.each(['us', 'USA', '', 'constructor', '__proto__'])('is refused for the country %j', (country) => {
    expect(read({ ...fine, country })).toContainEqual(['country', 'Must be a two-letter country code'])
  })

  test('has these required fields in each seller country', () => {
    expect(SELLER_COUNTRIES.map((country) => [country, getRequiredBankFields(country)])).toEqual([
      ['MY', [['account_number'], ['swift_code', 'bank_name']]],
      ['US', [['routing_number'], ['account_number']]],
      ['CA', [['routing_number'], ['account_number']]],
      ['GB', [['sort_code'], ['account_number']]],
      ['AU', [['bsb_code'], ['account_number']]],
      ['DE', [['iban']]],
      ['FR', [['iban']]],
    ])
  })
})
