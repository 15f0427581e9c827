const percentile = (timesMs: number[], percent: number) =>
  timesMs.toSorted((a, b) => a - b)[Math.ceil((timesMs.length * percent) / 100) - 1] ?? Number.NaN

export const p50 = (timesMs: number[]) => percentile(timesMs, 50)
export const p95 = (timesMs: number[]) => percentile(timesMs, 95)
export const p99 = (timesMs: number[]) => percentile(timesMs, 99)

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Runs both alternately, so that other load on the machine affects both, and returns their times without warm-up. */
export async function timeBoth(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  { warmUp, runs }: { warmUp: number; runs: number },
): Promise<[one: number[], other: number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let run = -warmUp; run < runs; run++) {
    const [oneMs, otherMs] = [await timeMs(one), await timeMs(other)]
    if (run < 0) continue
    times[0].push(oneMs)
    times[1].push(otherMs)
  }
  return times
}

export interface Row {
  cells: string[]
  /** Null if it could not be measured. */
  ok: boolean | null
}

/** Prints a table and returns whether all rows are within their limits. */
export function report(title: string, heads: string[], rows: Row[]): boolean {
  const lines = [
    [...heads, 'result'],
    ...rows.map(({ cells, ok }) => [...cells, ok === null ? 'not measured' : ok ? 'ok' : 'too slow']),
  ]
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? []
  console.log(`\n${title}\n`)
  for (const line of lines) {
    const cells = line.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    )
    console.log(`  ${cells.join('   ')}`)
  }
  return rows.every(({ ok }) => ok !== false)
}

export const formatMs = (value: number) => `${value.toFixed(2)} ms`
