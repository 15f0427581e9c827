import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SERVER = join(import.meta.dirname, '../..')

/** How far from a sum its statement may name the currency. */
const LINES_AROUND = 14

/** Sums of one deal, which has one currency, and sums of other things than money. */
const EXCEPTIONS: Record<string, string> = {
  'src/features/money/payments/refund-released.ts': 'the refunds of a payment',
  'src/features/money/debts/queries.ts': 'the fee of a cancelled deal',
  'src/features/money/ledger/check-ledger.ts':
    'the entries of a payment, whose currency has a rule of its own',
  'src/features/money/sellers/queries.ts': 'the debts of a payment',
  'src/features/money/exports/row-queries.ts': 'the entries of a payment',
  'src/features/money/payments/queries.ts': 'the entries of a payment',
  'src/features/deals/messages/queries.ts': 'unread messages',
  'src/features/fulfilment/reviews/queries.ts': 'stars',
  'src/features/board/requests/search/similar-requests-queries.ts': 'similarities',
  'src/features/desk/analytics/queries.ts': 'figures, whose names contain the currency',
}

interface Sum {
  file: string
  line: number
  text: string
  isByCurrency: boolean
}

/** All sums in SQL. */
function listSums(): Sum[] {
  const files = globSync('src/**/*.ts', { cwd: SERVER }).filter(
    (file) => !file.includes('.test.') && !/src\/(testing|demo|providers)\//.test(file),
  )
  return files.flatMap((file) => {
    const lines = readFileSync(join(SERVER, file), 'utf8').split('\n')
    return lines.flatMap((text, at) => {
      // Functions of the code have the same name.
      if (!/\bsum\(/.test(text) || /sum\((made|balance|fields)|sum\('|reduce/.test(text)) return []
      const around = lines.slice(Math.max(0, at - LINES_AROUND), at + LINES_AROUND).join('\n')
      return [{ file, line: at + 1, text: text.trim(), isByCurrency: /currency/i.test(around) }]
    })
  })
}

test('no statement adds up amounts of different currencies', () => {
  const sums = listSums()
  const mixed = sums.filter(({ file, isByCurrency }) => !isByCurrency && !EXCEPTIONS[file])
  expect(mixed).toEqual([])
  expect(sums.length).toBeGreaterThan(20)
})

test('every exception still has a sum', () => {
  const files = new Set(listSums().map(({ file }) => file))
  expect(Object.keys(EXCEPTIONS).filter((file) => !files.has(file))).toEqual([])
})
