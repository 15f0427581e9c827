import type pg from 'pg'
import { NUMBERED, type Numbered, type RecordedDeal, rowsOf } from './record-deal.ts'

export interface DealCopy {
  ids: Partial<Record<Numbered, readonly number[]>>
  buyer: string
  seller?: string | undefined
  admin?: string | undefined
  now: Date
  /** The intent id of each payment. Without it, the card provider does not know the copied payments. */
  intentOf?: (paymentId: number) => string
}

const NO_INTENT = '@none@'

/**
 * Inserts copies of a deal. Nobody is notified of them. With `onExistingRequests`, the requests exist already and get
 * the status of the recorded one.
 */
export async function insertDeals(
  sql: Pick<pg.Pool, 'query'>,
  { rows, inserts }: RecordedDeal,
  copies: readonly DealCopy[],
  { onExistingRequests = false } = {},
): Promise<void> {
  const statements = onExistingRequests ? { ...inserts, wanted_items: SET_STATUS } : inserts
  const parts = Object.entries(statements).map(([table, statement]) => `in_${table} as (${statement})`)
  await sql.query(`with deals as (select value as deal from json_array_elements($1)), ${parts} select`, [
    `[${copies.map((copy) => fillIn(rows, copy))}]`,
  ])
}

const SET_STATUS = `update wanted_items it set status = rows.status from ${rowsOf('wanted_items')} where it.id = rows.id`

function fillIn(rows: string, { ids, now, intentOf, ...people }: DealCopy): string {
  const filled = rows.replace(/@(\w+)(?::(-?\d+))?@/g, (_, name: string, number: string) => {
    if (name === 'time') return new Date(now.getTime() + Number(number)).toISOString()
    if (name === 'intent') return intentOf?.(ids.payments?.[Number(number)] ?? 0) ?? NO_INTENT
    return String(
      number === undefined ? people[name as keyof typeof people] : ids[name as Numbered]?.[Number(number)],
    )
  })
  return filled.replaceAll(`"${NO_INTENT}"`, 'null')
}

/** Takes unused ids for one copy. */
export async function takeIds(
  sql: Pick<pg.Pool, 'query'>,
  { counts }: RecordedDeal,
): Promise<Record<Numbered, number[]>> {
  const idsOf = (table: Numbered) =>
    `array(select nextval(pg_get_serial_sequence('${table}', 'id'))::int from generate_series(1, ${counts[table]})) as ${table}`
  return (await sql.query(`select ${NUMBERED.map(idsOf)}`)).rows[0]
}
