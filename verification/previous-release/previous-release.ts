import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from '../../scripts/child.ts'
import { linkPackages } from '../support/link-packages.ts'
import type { Part } from '../support/part.ts'
import { lineOfTests, testFilesOf } from '../support/run-test-files.ts'

/**
 * While a release starts, the previous one still serves requests on the new schema (ADR 76). So the previous
 * release's tests must pass on a database with the migrations of this release.
 */
export const previousRelease: Part = async ({ share, only = '' }) => {
  const { name, commit } = await findPreviousRelease()
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sought-previous-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    await git(`archive ${commit} | tar -x -C ${folder}`)
    linkPackages(folder)
    useNewSchema(folder)
    const files = (await testFilesOf('server/src/features', folder)).filter((file) => file.includes(only))
    const some = files.slice(0, Math.max(1, Math.ceil(files.length * share)))
    const line = await lineOfTests(`tests of ${name} on the new schema`, some, { folder })
    const violations = line.violations.filter(
      (violation) => !NOT_ABOUT_THE_SCHEMA.some((title) => violation.startsWith(title)),
    )
    return [{ ...line, violations }]
  } finally {
    remove()
  }
}

const NOT_ABOUT_THE_SCHEMA = [
  // Compares all columns of a user, so it fails after each new column.
  'erasing data no personal data remains in the database or on disk',
  // Its world does not close on its own schema either.
  'bank details under another DATA_KEY cannot be read',
]

/** The files that apply the migrations. They also work for the previous release. */
const SCHEMA = [
  'migrations',
  'src/database/migrate.ts',
  'src/database/apply-migrations.ts',
  'src/database/pooler.ts',
]

function useNewSchema(folder: string): void {
  rmSync(join(folder, 'server/migrations'), { recursive: true })
  for (const path of SCHEMA)
    cpSync(join(root, 'server', path), join(folder, 'server', path), { recursive: true })
}

/** The last tag. Before the first tag, the last commit without the migrations of this release. */
async function findPreviousRelease(): Promise<{ name: string; commit: string }> {
  const tag = await git(`describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || true`)
  if (tag) return { name: tag, commit: tag }
  const journal = 'server/migrations/meta/_journal.json'
  const added = await git(`log --format=%H -S'"${FIRST_MIGRATION}"' -- ${journal} | tail -n 1`)
  if (!added) throw new Error('This proof needs the history of the project (git).')
  const commit = await git(`rev-parse ${added}^`)
  return { name: commit.slice(0, 9), commit }
}

const FIRST_MIGRATION = '0051_suppressed_emails'

async function git(command: string): Promise<string> {
  const { ok, output } = await run('/bin/sh', ['-c', `git ${command}`], { cwd: root })
  if (!ok) throw new Error(`git ${command} failed:\n${output}`)
  return output.trim()
}
