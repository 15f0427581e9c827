/** Counts what was tried, by kind. */
export interface Tally {
  count(table: string, row: string, by?: number): void
  /** Of all rows of a table. */
  total(table: string): number
}

export function createTally(): Tally {
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
