/** Counts what was tried, by kind. */
export interface Tally {
  count(table: string, row: string, by?: number): void
  /** Adds what another has counted. */
  add(other: Tally): void
  tables(): Map<string, Map<string, number>>
}

export function createTally(): Tally {
  const tables = new Map<string, Map<string, number>>()
  const count = (table: string, row: string, by = 1) => {
    const rows = tables.get(table) ?? new Map<string, number>()
    rows.set(row, (rows.get(row) ?? 0) + by)
    tables.set(table, rows)
  }
  return {
    count,
    add(other) {
      for (const [table, rows] of other.tables()) for (const [row, by] of rows) count(table, row, by)
    },
    tables: () => tables,
  }
}

/** The counts as lines of text, the most frequent first. */
export function linesOf(tally: Tally): string[] {
  return [...tally.tables()].flatMap(([table, rows]) => [
    '',
    table,
    ...[...rows].toSorted(([, a], [, b]) => b - a).map(([row, by]) => `${String(by).padStart(8)}  ${row}`),
  ])
}
