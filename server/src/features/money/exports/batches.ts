import type { CsvCell, CsvRow } from '../../../files/csv.ts'

/** The rows of an export, batch by batch. `done` is the progress from 0 to 1. */
export type Batches = AsyncGenerator<{ rows: CsvRow[]; done: number }>

/** The headers of the columns, in their order, with the cell of a row. */
export type Columns<Row> = Record<string, (row: Row) => CsvCell>

/** Reads a table page by page, in the order of its ids. */
export async function* readById<Row>(
  columns: Columns<Row>,
  { last, idOf, findPage }: { last: number; idOf(row: Row): number; findPage(after: number): Promise<Row[]> },
): Batches {
  for (let after = 0; ; ) {
    const page = await findPage(after)
    const end = page.at(-1)
    if (end === undefined) return
    after = idOf(end)
    yield { done: after / last, rows: page.map((row) => Object.values(columns).map((cellOf) => cellOf(row))) }
  }
}
