import { existsSync, readFileSync } from 'node:fs'

/** The result of a step. Nothing may be skipped, so a skipped test counts as failed. */
export type Result = { passed: number; failed: number; output: string }

/** A runner that fails without a failed test (no tests, or an error outside of them) counts as one failure. */
export function readReport<Report>(
  { ok, output }: { ok: boolean; output: string },
  file: string,
  count: (report: Report) => { total: number; passed: number },
): Result {
  if (!existsSync(file)) return { passed: 0, failed: 1, output }
  const { total, passed } = count(JSON.parse(readFileSync(file, 'utf8')))
  const failed = ok && total > 0 ? total - passed : Math.max(total - passed, 1)
  return { passed, failed, output }
}
