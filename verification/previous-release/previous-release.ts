import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@sought/server/core/free-port'
import { migrate } from '@sought/server/database/migrate'
import pg from 'pg'
import { root, run } from '../../scripts/child.ts'
import { linkPackages } from '../support/link-packages.ts'
import type { Line, Part } from '../support/part.ts'
import { lineOfTests, testFilesOf } from '../support/run-test-files.ts'
import { createServerProcess } from '../support/server-process.ts'
import { withEmptyDatabase } from '../support/temporary-database.ts'

/*
 * A market of the previous release continues on this one. While this one starts, the previous one still serves
 * requests on the new schema (ADR 76), so its tests must pass on a database with the migrations of this release.
 */

interface Release {
  name: string
  /** The folder of its code, with packages installed. */
  folder: string
}

export const previousRelease: Part = async ({ postgresUrl, share, only = '' }) => {
  const { name, commit } = await findPreviousRelease()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sought-previous-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    await git(`archive ${commit} | tar -x -C ${folder}`)
    linkPackages(folder)
    const release = { name, folder }
    return [
      await withEmptyDatabase(postgresUrl, (databaseUrl) => continueMarket(release, databaseUrl)),
      await testOnNewSchema(release, { postgresUrl, share, only }),
    ]
  } finally {
    remove()
  }
}

/** Starts the previous release, which fills the database with the demo, then this one. */
async function continueMarket({ name, folder }: Release, databaseUrl: string): Promise<Line> {
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, '.data'), DEMO: 'on', LOG_LEVEL: 'warn' }
  for (const code of [folder, root]) {
    const address = `http://127.0.0.1:${await freePort()}`
    const server = createServerProcess(address, env, () => 0, { folder: code })
    server.start()
    try {
      await server.ready()
    } finally {
      await server.stop()
    }
  }
  const { ok, output } = await run(process.execPath, ['server/src/commands/ledger-check.ts'], { env })
  const [, payments = '0'] = output.match(/(\d+) payments/) ?? []
  return {
    what: `payments of a market of ${name}, checked after it continued`,
    times: Number(payments),
    violations: ok && payments !== '0' ? [] : [output],
  }
}

async function testOnNewSchema(
  { name, folder }: Release,
  { postgresUrl, share, only }: { postgresUrl: string; share: number; only: string },
): Promise<Line> {
  await migrate(postgresUrl)
  await addWhatTestsNeed(postgresUrl)
  const files = (await testFilesOf('server/src/features', folder)).filter((file) => file.includes(only))
  if (files.length === 0) throw new Error(`${name} has no test file with '${only}' in its path`)
  const some = files.slice(0, Math.max(1, Math.ceil(files.length * share)))
  const env = { TEST_POSTGRES_URL: postgresUrl }
  const line = await lineOfTests(`tests of ${name} on the new schema`, some, { folder, env })
  const violations = line.violations.filter(
    (violation) => !NOT_ABOUT_THE_SCHEMA.some((title) => violation.startsWith(title)),
  )
  return { ...line, violations }
}

/** The tests of 0.1.0, unlike its code, insert payments without a currency. */
async function addWhatTestsNeed(postgresUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  await client.query("alter table payments alter currency set default 'usd'")
  await client.end()
}

const NOT_ABOUT_THE_SCHEMA = [
  // Compares all columns of a user, so it fails after each new column.
  'erasing data no personal data remains in the database or on disk',
  // Its world does not close on its own schema either.
  'bank details under another DATA_KEY cannot be read',
  // 0.1.0 kept a table for releases before it, which only this test uses.
  'blind reviews rows of the release before are read and counted as reviews',
]

/** The last tag. Before the first tag, the last commit without the baseline. */
async function findPreviousRelease(): Promise<{ name: string; commit: string }> {
  const tag = await git(`describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || true`)
  if (tag) return { name: tag, commit: tag }
  const added = await git(`log --diff-filter=A --format=%H -- 'server/migrations/*_baseline.sql' | tail -n 1`)
  if (!added) throw new Error('This proof needs the history of the project (git).')
  const commit = await git(`rev-parse ${added}^`)
  return { name: commit.slice(0, 9), commit }
}

async function git(command: string): Promise<string> {
  const { ok, output } = await run('/bin/sh', ['-c', `git ${command}`], { cwd: root })
  if (!ok) throw new Error(`git ${command} failed:\n${output}`)
  return output.trim()
}
