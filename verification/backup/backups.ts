import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startS3Server } from '@sought/server/testing/s3-server'
import pg from 'pg'
import { findPostgres } from '../support/find-postgres.ts'
import type { Line, Part } from '../support/part.ts'
import { withEmptyDatabase } from '../support/temporary-database.ts'
import {
  checkMarket,
  createUploader,
  deploymentAt,
  type Environment,
  runCommand,
  startMarket,
} from './market.ts'

/*
 * A market is backed up while people change their pictures, which removes the old ones. Every backup is restored.
 * It must have all files that its database refers to, and a correct ledger.
 */

const BACKUPS_EACH = 5

interface Context {
  postgresUrl: string
  folder: string
  env: Environment
}

export const proveBackups: Part = async ({ postgresUrl, share }) => {
  await findPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'sought-backup-'))
  const s3 = await startS3Server()
  try {
    return await withEmptyDatabase(postgresUrl, async (databaseUrl) => {
      const env = deploymentAt(databaseUrl, join(folder, 'data'))
      const context = { postgresUrl, folder, env }
      const server = await startMarket(env)
      const changes = changePictures(server.address)
      try {
        const times = Math.max(1, Math.round(BACKUPS_EACH * share))
        const passphrase = { BACKUP_PASSPHRASE: 'the passphrase of a proof' }
        const { S3_BUCKET: bucket, ...access } = s3.env
        const lines = [
          await proveTarget('a folder', join(folder, 'plain'), {}, times, context),
          await proveTarget('a folder, encrypted', join(folder, 'sealed'), passphrase, times, context),
          await proveTarget(
            'S3, encrypted',
            `s3://${bucket}/backups`,
            { ...access, ...passphrase },
            times,
            context,
          ),
          await proveDamage(join(folder, 'sealed'), passphrase, context),
        ]
        return [...lines, await changes.stop()]
      } finally {
        await changes.stop()
        await server.stop()
      }
    })
  } finally {
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Changes a profile picture repeatedly, until it is stopped. */
function changePictures(address: string) {
  let isOver = false
  const done = (async (): Promise<Line> => {
    const upload = await createUploader(address)
    const line: Line = { what: 'pictures changed meanwhile', times: 0, violations: [] }
    while (!isOver) {
      if (!(await upload(line.times))) line.violations.push('a picture could not be changed')
      line.times++
    }
    return line
  })()
  done.catch(() => {})
  return {
    stop() {
      isOver = true
      return done
    },
  }
}

async function proveTarget(
  where: string,
  target: string,
  settings: Environment,
  times: number,
  { postgresUrl, folder, env }: Context,
): Promise<Line> {
  const line: Line = { what: `backups to ${where}, each restored and checked`, times: 0, violations: [] }
  for (let count = 1; count <= times; count++) {
    const made = await runCommand('backup', [target, '--keep', '2'], { ...env, ...settings })
    const [, listed] = made.output.match(/and (\d+) files/) ?? []
    if (!made.ok) line.violations.push(made.output)
    const outcome = await withEmptyDatabase(postgresUrl, async (databaseUrl) => {
      const dataDir = join(folder, `restored-${where.replaceAll(/\W/g, '')}-${count}`)
      const restored = deploymentAt(databaseUrl, dataDir)
      const { ok, output } = await runCommand('restore', [target], { ...restored, ...settings })
      if (!ok) return { figures: null, violations: [output] }
      return checkMarket(restored)
    })
    line.violations.push(...outcome.violations)
    console.log(`  ${made.output.split('\n', 1)}; restored: ${JSON.stringify(outcome.figures)}`)
    if (outcome.figures?.files !== Number(listed)) line.violations.push('files are missing after the restore')
    if (!outcome.figures?.entries) line.violations.push('the restored ledger is empty')
    line.times++
  }
  return line
}

/** Any changed byte is refused, and the database stays empty. */
async function proveDamage(
  target: string,
  settings: Environment,
  { postgresUrl, folder }: Context,
): Promise<Line> {
  const line: Line = { what: 'damaged backups, each refused', times: 0, violations: [] }
  const newest = (await readdir(join(target, 'backups')))
    .filter((name) => name.endsWith('.manifest'))
    .sort()
    .at(-1)
  const stamp = newest?.replace('.manifest', '')
  for (const part of ['manifest', 'database.0000', 'files.0000']) {
    const path = join(target, 'backups', `${stamp}.${part}`)
    const bytes = await readFile(path)
    const at = Math.floor(bytes.length / 2)
    await writeFile(path, bytes.with(at, (bytes[at] ?? 0) ^ 1))
    await withEmptyDatabase(postgresUrl, async (databaseUrl) => {
      const env = { ...deploymentAt(databaseUrl, join(folder, `damaged-${part}`)), ...settings }
      const { ok } = await runCommand('restore', [target], env)
      if (ok) line.violations.push(`${part}: a damaged backup was restored`)
      if (await hasTables(databaseUrl)) line.violations.push(`${part}: the database is not empty`)
    })
    await writeFile(path, bytes)
    line.times++
  }
  return line
}

async function hasTables(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rowCount } = await client
    .query(`select from pg_tables where schemaname = 'public' limit 1`)
    .finally(() => client.end())
  return rowCount !== 0
}
