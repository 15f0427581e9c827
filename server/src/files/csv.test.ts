import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { asCsv } from './csv.ts'

test('texts that look like formulas are escaped, and amounts stay numbers', async () => {
  const rows = [
    ['=1+1', { cents: -1250 }, 7],
    ['-12.50', { cents: 5 }, 8],
    ['a "quoted", text', '', 9],
  ]
  expect(await text(asCsv(['Item', 'Amount', 'Payment'], rows))).toBe(
    [
      '"Item","Amount","Payment"',
      '"\'=1+1","-12.50","7"',
      '"\'-12.50","0.05","8"',
      '"a ""quoted"", text","","9"',
      '',
    ].join('\r\n'),
  )
})
