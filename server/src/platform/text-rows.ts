import type { Timestamp } from '@sought/contract/fields'
import pg from 'pg'

/*
 * For a statement that is asked so often that what the driver does around it counts. PostgreSQL is not asked each
 * time what the columns are, and every one comes as the text that it writes: the caller knows what they are.
 */

export type TextRow = (string | null)[]

export interface NamedStatement {
  /** PostgreSQL keeps the statement under it, on every connection. Another text needs another name. */
  name: string
  text: string
  values: string[]
}

export async function readText(pool: pg.Pool, statement: NamedStatement): Promise<TextRow[]> {
  const reading = new Reading(statement)
  // The types have it that a pool gives the query back; it gives a promise that it is answered.
  await pool.query(reading)
  return reading.rows
}

/** As much of the driver's connection as its own cursors use too. */
interface Wire {
  stream: { cork(): void; uncork(): void }
  parsedStatements: Record<string, string>
  parse(statement: { name: string; text: string }): void
  bind(portal: { statement: string; values: string[] }): void
  execute(): void
  sync(): void
}

/** A query as the driver takes it from outside: it calls `submit`, then a handler for each message that comes. */
class Reading implements pg.Submittable {
  readonly name: string
  readonly text: string
  readonly values: string[]
  readonly rows: TextRow[] = []
  /** Set by the pool. */
  callback?: (error: Error | null) => void

  constructor({ name, text, values }: NamedStatement) {
    this.name = name
    this.text = text
    this.values = values
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire
    // What is written meanwhile leaves in one piece.
    wire.stream.cork()
    if (wire.parsedStatements[this.name] === undefined) wire.parse({ name: this.name, text: this.text })
    wire.bind({ statement: this.name, values: this.values })
    wire.execute()
    wire.sync()
    wire.stream.uncork()
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(null)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }
}

const parseMoment: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/** PostgreSQL's text of a moment, as the contract writes it. In UTC, which is usual, no Date is needed for that. */
export function momentOf(text: string): Timestamp {
  const isUsual = text.charAt(10) === ' ' && text.endsWith('+00')
  if (!isUsual) return parseMoment(text).toISOString() as Timestamp
  const milliseconds = text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z` as Timestamp
}
