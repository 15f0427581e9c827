import type { CsvRow } from '../../../files/csv.ts'

/** The rows of an export, batch by batch. `done` is the progress from 0 to 1. */
export type Batches = AsyncGenerator<{ rows: CsvRow[]; done: number }>
