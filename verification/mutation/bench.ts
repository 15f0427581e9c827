import pg from 'pg'
import { type Copy, copyWorkingTree } from './copy.ts'
import { type Guard, OutOfDate } from './guard.ts'
import { runTests, type Verdict } from './run-tests.ts'

/** Where guards are taken away, one after another. */
export interface Bench {
  copy: Copy
  postgresUrl: string
  /** Migrated by the first run of tests, and from then on only copied by them. */
  databaseUrl: string
}

/** What became of a guard that was taken away: the test that noticed, or what is wrong. */
export interface Outcome {
  noticedBy: string | null
  violation: string | null
}

export async function openBench(postgresUrl: string): Promise<Bench> {
  return { copy: copyWorkingTree(), postgresUrl, databaseUrl: await createDatabase(postgresUrl) }
}

/** Takes one guard away and has the test run that must notice. */
export async function tryWithout(
  { copy, databaseUrl, postgresUrl }: Bench,
  { what, edits, noticedBy }: Guard,
): Promise<Outcome> {
  const ofDatabase = edits.some(({ file }) => file.startsWith('server/migrations/'))
  try {
    const putBack = copy.takeAway(edits)
    try {
      const url = ofDatabase ? await createDatabase(postgresUrl) : databaseUrl
      return outcomeOf(await runTests(copy, [noticedBy], url), what)
    } finally {
      putBack()
    }
  } catch (error) {
    if (!(error instanceof OutOfDate)) throw error
    return { noticedBy: null, violation: error.message }
  }
}

function outcomeOf(verdict: Verdict, what: string): Outcome {
  if (verdict.passed) return { noticedBy: null, violation: `nobody noticed: ${what}` }
  const [first] = verdict.failed
  if (first) return { noticedBy: `${first.file}: ${first.test}`, violation: null }
  return { noticedBy: null, violation: complaintsOf(verdict, `without: ${what}`).join() }
}

/** How much of what a run printed is shown where it could not be run at all. */
const OUTPUT_LENGTH = 2_000

export function complaintsOf(
  { failed, output }: Extract<Verdict, { passed: false }>,
  when: string,
): string[] {
  if (failed.length === 0) return [`the tests could not be run ${when}: ${output.slice(-OUTPUT_LENGTH)}`]
  return failed.map(({ file, test }) => `${file} failed ${when}: ${test}`)
}

let databases = 0

/** An empty one, which goes when the server does. */
async function createDatabase(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  url.pathname = `/guards_${process.pid}_${databases++}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${url.pathname.slice(1)}`).finally(() => client.end())
  return url.href
}
