import { expect, test } from 'vitest'
import { splitLinks } from './split-links.ts'

const partsOf = (text: string) =>
  splitLinks(text).map((part) => (typeof part === 'string' ? part : [part.address.href, part.address.host]))

test('links end before the punctuation of the sentence', () => {
  expect(partsOf('See https://example.com/a?b=1, or (www.example.org/x).')).toEqual([
    'See ',
    ['https://example.com/a?b=1', 'example.com'],
    ', or (',
    ['https://www.example.org/x', 'www.example.org'],
    ').',
  ])
})

test('the shown host is the one that the browser opens', () => {
  expect(partsOf('https://sought.market@evil.example/pay')).toEqual([
    ['https://sought.market@evil.example/pay', 'evil.example'],
  ])
  // A Cyrillic letter.
  expect(partsOf('https://pаypal.com')).toEqual([['https://xn--pypal-4ve.com/', 'xn--pypal-4ve.com']])
})

test('other text does not become a link', () => {
  for (const text of ['', 'Hello', 'javascript:alert(1)', 'https://', 'a.b.c', 'ftp://example.com'])
    expect(partsOf(text)).toEqual(text ? [text] : [])
})
