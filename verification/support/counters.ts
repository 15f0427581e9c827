/** Counts the actions of a run, by table and row. */
export interface Counters {
  count(table: string, row: string, by?: number): void
  /** The sum of a table's rows. */
  total(table: string): number
}

export function createCounters(): Counters {
  const tables = new Map<string, Map<string, number>>()
  return {
    count(table, row, by = 1) {
      const rows = tables.get(table) ?? new Map<string, number>()
      rows.set(row, (rows.get(row) ?? 0) + by)
      tables.set(table, rows)
    },
    total: (table) => [...(tables.get(table)?.values() ?? [])].reduce((sum, by) => sum + by, 0),
  }
}
