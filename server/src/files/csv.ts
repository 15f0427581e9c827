import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

/** Marks a number, so that its minus sign does not make it look like a formula. */
interface Amount {
  cents: number
}

export type CsvCell = string | number | Amount
export type CsvRow = CsvCell[]

/** Streams rows as CSV for spreadsheets. */
export function asCsv(columns: string[], rows: Iterable<CsvRow> | AsyncIterable<CsvRow>): Readable {
  const format = stringify({
    header: true,
    columns,
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
    cast: { string: escapeFormula, object: (amount) => formatAmount(amount as unknown as Amount) },
  })
  // An error destroys both streams; Fastify logs it and ends the response.
  return pipeline(Readable.from(rows), format, () => {})
}

/** Spreadsheets run a cell that starts with one of these as a formula. An apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@\t\r]/
const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** '-12.50', without a currency symbol or separators. */
const formatAmount = ({ cents }: Amount) => (cents / 100).toFixed(2)
