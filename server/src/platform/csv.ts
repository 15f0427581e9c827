import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'

export type CsvRow = (string | number)[]

/** Streams rows as CSV for spreadsheets. */
export function asCsv(columns: string[], rows: Iterable<CsvRow> | AsyncIterable<CsvRow>): Readable {
  const format = stringify({
    header: true,
    columns,
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
    cast: { string: escapeFormula },
  })
  // An error destroys both streams; Fastify logs it and ends the response.
  return pipeline(Readable.from(rows), format, () => {})
}

/** A spreadsheet runs a cell that starts with one of these as a formula. An apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@\t\r]/
const NUMBER = /^-?\d+\.\d\d$/
const escapeFormula = (text: string) => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)

/** Cents as '-12.50', without a currency symbol or separators. */
export function csvAmount(cents: number): string {
  return (cents / 100).toFixed(2)
}
