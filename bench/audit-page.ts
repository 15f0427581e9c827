/** Lighthouse sometimes loses the start of a trace, and then asks to be run again. */
const ATTEMPTS = 3
const MAX_REASON_LENGTH = 200

/** What Lighthouse printed. The report of a failed run has the reason, and no scores. */
interface Output {
  stdout: string
  stderr: string
}

/** Repeats a failed run. */
export async function auditPage<Report>(
  url: string,
  runLighthouse: (url: string) => Promise<Output>,
): Promise<Report> {
  let reason = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { stdout, stderr } = await runLighthouse(url)
    const report = parseReport<Report>(stdout)
    if (report && !report.runtimeError) return report
    reason = report?.runtimeError?.message ?? lastLine(stderr) ?? 'no report'
  }
  const shortened = reason.replace(/\s+/g, ' ').slice(0, MAX_REASON_LENGTH)
  throw new Error(`Lighthouse failed ${ATTEMPTS} times on ${url}: ${shortened}`)
}

function parseReport<Report>(stdout: string): (Report & { runtimeError?: { message: string } }) | null {
  try {
    return JSON.parse(stdout)
  } catch {
    return null
  }
}

function lastLine(stderr: string): string | undefined {
  return stderr.split('\n').findLast((line) => line.trim() !== '')
}
