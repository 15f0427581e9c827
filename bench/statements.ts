import pg from 'pg'
import { p50, type Row, report } from './measure.ts'

/*
 * How long PostgreSQL plans and executes the statements of the public calls. A bench that compares with a route that
 * runs the same statements cannot see this.
 */

const MAX_PLANNING_SHARE = 0.25
/** From the sixth call on, PostgreSQL may keep one plan for all values. */
const WARM_UP = 10

/** The statements of one kind of call, with different values. */
export type Recorded = Record<string, pg.QueryConfig[]>

interface Times {
  planningMs: number
  executionMs: number
}

/** Runs every statement as the server does: prepared, on one connection, with different values in turn. */
export async function reportPlanning(databaseUrl: string, recorded: Recorded): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set jit = off')
    const rows: Row[] = []
    for (const [call, statements] of Object.entries(recorded))
      for (const [text, calls] of Map.groupBy(statements, (statement) => statement.text))
        rows.push(toRow(`${call}, ${shorten(text)}`, await measureStatement(client, text, calls)))
    return report(
      'Statements of public calls in PostgreSQL, median of the calls after the first ten',
      ['', 'calls', 'planning', 'execution', 'share of planning', 'limit'],
      rows,
    )
  } finally {
    await client.end()
  }
}

async function measureStatement(client: pg.Client, text: string, calls: pg.QueryConfig[]): Promise<Times[]> {
  const name = `measured_${text.length}_${calls.length}`
  await client.query(`prepare ${name} as ${text}`)
  const times: Times[] = []
  for (const { values = [] } of calls) {
    const parameters = values.map((value) => toLiteral(client, value)).join(', ')
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `explain (analyze, timing off, format json) execute ${name}${parameters && `(${parameters})`}`,
    )
    const [explained] = rows[0]?.['QUERY PLAN'] ?? []
    if (explained)
      times.push({ planningMs: explained['Planning Time'], executionMs: explained['Execution Time'] })
  }
  await client.query(`deallocate ${name}`)
  return times.slice(WARM_UP)
}

interface Explained {
  'Planning Time': number
  'Execution Time': number
}

function toLiteral(client: pg.Client, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value))
    return client.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`)
  return client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

function toRow(title: string, times: Times[]): Row {
  const [planning, execution] = [
    p50(times.map(({ planningMs }) => planningMs)),
    p50(times.map(({ executionMs }) => executionMs)),
  ]
  const share = planning / (planning + execution)
  return {
    cells: [
      title,
      String(times.length),
      `${planning.toFixed(3)} ms`,
      `${execution.toFixed(3)} ms`,
      `${(share * 100).toFixed(0)} %`,
      `at most ${MAX_PLANNING_SHARE * 100} %`,
    ],
    ok: share <= MAX_PLANNING_SHARE,
  }
}

/** What a statement reads from, to tell several statements of a call apart. */
function shorten(text: string): string {
  const [, table = 'a statement'] = /\bfrom\s+"?(\w+)/.exec(text) ?? []
  return `from ${table}`
}
