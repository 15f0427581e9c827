import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CARRIERS,
  getCarrierName,
  getTrackingUrl,
  isTrackingNumber,
  normalizeTrackingNumber,
} from './carriers.ts'

describe('the tracking page', () => {
  test.each([
    ['ups', '1Z999AA10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
    [
      'usps',
      '9400111899223197428490',
      'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400111899223197428490',
    ],
    ['fedex', '449044304137821', 'https://www.fedex.com/fedextrack/?trknbr=449044304137821'],
    [
      'dhl',
      '00340434292135100186',
      'https://www.dhl.com/global-en/home/tracking.html?tracking-id=00340434292135100186',
    ],
    [
      'royal_mail',
      'AB123456785GB',
      'https://www.royalmail.com/track-your-item#/tracking-results/AB123456785GB',
    ],
    [
      'deutsche_post',
      'RR123456785DE',
      'https://www.deutschepost.de/de/s/sendungsverfolgung.html?piececode=RR123456785DE',
    ],
    ['la_poste', '6A12345678901', 'https://www.laposte.fr/outils/suivre-vos-envois?code=6A12345678901'],
    [
      'canada_post',
      '7023210039414604',
      'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor=7023210039414604',
    ],
    ['australia_post', '33ABC0123456789', 'https://auspost.com.au/mypost/track/#/details/33ABC0123456789'],
    ['pos_malaysia', 'EH123456786MY', 'https://tracking.pos.com.my/tracking/EH123456786MY'],
    ['jnt', '630000000001', 'https://www.jtexpress.my/tracking/630000000001'],
    ['ninja_van', 'NVMY000000001', 'https://www.ninjavan.co/en-my/tracking?id=NVMY000000001'],
    ['other', 'ABC12345', null],
    ['pigeon', 'ABC12345', null],
    ['toString', 'ABC12345', null],
  ])('of %s with the number %s is %s', (carrier, number, url) => {
    expect(getTrackingUrl(carrier, number)).toBe(url)
  })

  test('is null without a valid number', () => {
    expect(getTrackingUrl('ups', null)).toBeNull()
    expect(getTrackingUrl('ups', '')).toBeNull()
    expect(getTrackingUrl('ups', '1Z/../../login')).toBeNull()
  })

  const numbers = fc.string({
    unit: fc.constantFrom('A', '1', '9', '/', '?', '#', '.', '%', ':'),
    maxLength: 8,
  })

  test('is always on the carrier’s site, with any number', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CARRIERS), numbers, (carrier, number) => {
        const page = getTrackingUrl(carrier, 'ABC12345')?.replace('ABC12345', '')
        const url = getTrackingUrl(carrier, number)
        expect(url === null || url === page + number).toBe(true)
      }),
    )
  })
})

test('spaces, dashes and dots on a label are removed from the tracking number', () => {
  expect(normalizeTrackingNumber(' 9400 1118-9922 3197.4284 90 ')).toBe('9400111899223197428490')
  expect(normalizeTrackingNumber('ab 123 456 785 gb')).toBe('AB123456785GB')
})

test.each([
  ['AB123456785GB', true],
  ['12345', true],
  ['1234', false],
  ['A'.repeat(41), false],
  ['ABC-123', false],
  ['ABC 123', false],
  ['١٢٣٤٥٦', false],
  ['ABC123\n', false],
])('%j is a tracking number: %s', (number, isValid) => {
  expect(isTrackingNumber(number)).toBe(isValid)
})

test('every carrier has a name', () => {
  expect(CARRIERS.map(getCarrierName)).toEqual([
    'UPS',
    'USPS',
    'FedEx',
    'DHL',
    'Royal Mail',
    'Deutsche Post',
    'La Poste',
    'Canada Post',
    'Australia Post',
    'Pos Malaysia',
    'J&T Express',
    'Ninja Van',
    'Other',
  ])
})
