import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { foldText, listSpellings } from '../../../core/normalize-text.ts'
import { checkMessage, describeWarnings } from './check-message.ts'
import { RULES } from './rules.ts'

const publicUrl = 'https://sought.market'
const warningsOf = (text: string, isPaid = false) => checkMessage(text, { isPaid, publicUrl }).warnings

interface Messages {
  scam: string[]
  honest: string[]
  honestAfterPayment: string[]
}
/**
 * `tuning` was used to write the rules, `heldOut` was not. `difficult` was written to break them, and includes the
 * messages that did (ADR 80).
 */
const corpus: Record<'tuning' | 'heldOut' | 'difficult', Messages> = JSON.parse(
  await readFile(new URL('scams.test.json', import.meta.url), 'utf8'),
)

function measure(messages: Messages) {
  const missed = messages.scam.filter((text) => warningsOf(text).length === 0)
  const wronglyWarned = [
    ...messages.honest.filter((text) => warningsOf(text).length > 0),
    ...messages.honestAfterPayment.filter((text) => warningsOf(text, true).length > 0),
  ]
  const found = messages.scam.length - missed.length
  return {
    precision: found / (found + wronglyWarned.length),
    recall: found / messages.scam.length,
    missed,
    wronglyWarned,
  }
}

test('at least 95 % of the scam messages are found, and at least 95 % of all warnings are right', () => {
  const texts = Object.values(corpus).flatMap((it) => [...it.scam, ...it.honest, ...it.honestAfterPayment])
  expect(new Set(texts).size).toBe(texts.length)
  for (const set of ['tuning', 'heldOut'] as const) {
    expect(corpus[set].scam).toHaveLength(100)
    expect(corpus[set].honest.length + corpus[set].honestAfterPayment.length).toBe(100)
  }
  for (const [name, messages] of Object.entries(corpus)) {
    const { precision, recall, missed, wronglyWarned } = measure(messages)
    // The figures of ADR 80.
    console.log(`${name}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`)
    expect(precision, wronglyWarned.join('\n')).toBeGreaterThanOrEqual(0.95)
    expect(recall, missed.join('\n')).toBeGreaterThanOrEqual(0.95)
  }
})

describe('spellings', () => {
  test.each([
    'PаyPаl', // Cyrillic а
    'ρaypal', // Greek ρ
    'pay\u200bpal',
    'ＰａｙＰａｌ',
    'p a y p a l',
    'P.A.Y.P.A.L',
    'p4yp4l',
    'PayPaI',
    'páypâl',
  ])('%s is read as paypal', (text) => {
    expect(listSpellings(foldText(text))).toContain('paypal')
  })

  test('digits, models and sizes are not changed', () => {
    const text = 'a1466 5d mark ii, 16 gb, 20x47x14, 1 2 3 4 5'
    expect(listSpellings(foldText(text)).split('\n')[0]).toBe(text)
    expect(warningsOf(text)).toEqual([])
  })
})

describe('rules', () => {
  test('have unique names, and every warning is shown', () => {
    const names = RULES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, warning } of RULES) expect(describeWarnings([name], 'Sought')).toBe(warning)
    expect(describeWarnings([], 'Sought')).toBeNull()
    // The name of a rule in an earlier release.
    expect(describeWarnings(['forgotten'], 'Bazaar')).toMatch(/careful.* through Bazaar/)
    // The most serious one is shown.
    expect(describeWarnings(['phone_number', 'code_request'], 'Sought')).toBe(
      describeWarnings(['code_request'], 'Sought'),
    )
  })

  test('always warn about other ways to pay, but about phone numbers and addresses only before the payment', () => {
    const contact = 'Call 0151 23456789 or write to lena@gmx.example, or on WhatsApp'
    expect(warningsOf(contact)).toEqual(['messenger', 'phone_number', 'email_address'])
    expect(warningsOf(contact, true)).toEqual([])
    expect(warningsOf('Send the rest by Venmo', true)).toEqual(['payment_service'])
  })

  test.each([
    ['The frame number is 201804567', false],
    ['The frame number is 0201804567', false],
    ['My bike’s chassis number is 201 804 567', false],
    ['Rahmennummer 0201804567', false],
    ['Nombor rangka 201804567', false],
    ['The number is 201804567', false],
    ['The number is 0151 23456789', true],
    ['The number is +49 151 23456789', true],
    ['The number is 212-555-0199', true],
    ['My number is 201804567', true],
    ['This is her new number: 201804567', true],
    ['Nombor saya 201804567', true],
    ['Call 201804567', true],
  ])('“%s” has a phone number: %s', (text, expected) => {
    expect(warningsOf(text).includes('phone_number')).toBe(expected)
  })

  test('match an IBAN only with a valid checksum', () => {
    expect(warningsOf('DE89 3704 0044 0532 0130 00')).toEqual(['bank_account'])
    expect(warningsOf('DE88 3704 0044 0532 0130 00')).toEqual([])
  })

  test.each([
    ['https://sought.market/messages', false],
    ['https://www.sought.market/', false],
    ['https://s0ught.market/', true],
    ['https://sought.market.example/', true],
    ['https://sought-market.example/', true],
    ['https://soughtt.example/', true],
    ['https://sought.market@example.com/', true],
    ['https://bought.example/', false],
    ['https://www.paypal.com/', false],
    ['https://paypa1.com/', true],
    ['https://xn--pypal-4ve.com/', true],
    ['https://pаypal.com/', true], // Cyrillic а
    ['https://münchen.example/', false],
    ['http://192.168.3.4/', true],
    ['http://[::1]/', true],
    ['www.dhl-parcel.example', true],
    ['https://www.dhl.de/paket', false],
    ['https://en.wikipedia.org/wiki/PayPal_Mafia', false],
  ])('%s is deceptive: %s', (link, expected) => {
    expect(warningsOf(`See ${link}`).includes('deceptive_link')).toBe(expected)
  })

  test.each([
    ['Pay me on PayPal', false],
    ['Pay me on PayPal, my number is +44 7700 900123', true],
    ['Read me the code that you got by SMS', true],
    ['Call 0151 23456789', false],
  ])('“%s” is shown to moderators: %s', (text, expected) => {
    expect(checkMessage(text, { isPaid: false, publicUrl }).isFlagged).toBe(expected)
  })
})

test('the time to check a message grows no faster than its length', { tags: ['proof'] }, () => {
  const hostile = [
    'a ',
    'a.',
    '1 ',
    '0-',
    'e',
    'zero ',
    'no paypal ',
    'without a the ',
    'send code ',
    'de00 ',
    'a@a.',
  ]
  const more = [
    'at a dot ',
    'http://a.',
    'www.',
    '(0',
    'a1a',
    'courier pay ',
    '@',
    '$a',
    'cancel pay ',
    '+',
    'gift ',
  ]
  const timeOf = (length: number) => {
    const texts = [...hostile, ...more].map((part) => part.repeat(length / part.length))
    for (const text of texts) warningsOf(text)
    const rounds = Array.from({ length: 5 }, () => {
      const start = performance.now()
      for (const text of texts) warningsOf(text)
      return performance.now() - start
    })
    return Math.min(...rounds)
  }
  // Four times the length: 4 if linear, 16 if quadratic.
  expect(timeOf(5_000) / timeOf(1_250)).toBeLessThan(12)
})
