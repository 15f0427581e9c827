import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { BackupRefused } from './refused.ts'

/*
 * PostgreSQL's own programs make and read dumps. The embedded PostgreSQL comes without them (ADR 75).
 */

type Program = 'pg_dump' | 'pg_restore'

const runFile = promisify(execFile)

/** Folders of the programs in Debian, one for each version, and in Homebrew. */
const FOLDERS = [
  '/usr/lib/postgresql/*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
  '/usr/local/opt/postgresql@*/bin',
]

/**
 * Finds the program for the server's version, or for the next newer one. Older programs cannot read the server.
 */
export async function findProgram(program: Program, serverMajor: number, path: string): Promise<string> {
  const folders = [...path.split(delimiter), ...FOLDERS.flatMap((pattern) => globSync(pattern))]
  const found: { file: string; major: number }[] = []
  for (const file of folders.map((folder) => join(folder, program)).filter(existsSync)) {
    const { stdout } = await runFile(file, ['--version']).catch(() => ({ stdout: '' }))
    const [, major] = stdout.match(/ (\d+)(?:\.|\w|$)/) ?? []
    if (major && Number(major) >= serverMajor) found.push({ file, major: Number(major) })
  }
  const [best] = found.toSorted((one, two) => one.major - two.major)
  if (!best)
    throw new BackupRefused(
      `${program} of PostgreSQL ${serverMajor} or later is not installed. On Debian: apt-get install postgresql-client-${serverMajor}`,
    )
  return best.file
}

/** Passes the password in the environment, because every user of the machine can see arguments. */
function connectionOf(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  url.password = ''
  return { args: ['--dbname', url.href], env: { ...(password && { PGPASSWORD: password }) } }
}

/** Streams a dump of the whole database as of an exported snapshot. */
export async function dump(
  file: string,
  databaseUrl: string,
  snapshot: string,
  take: (stream: Readable) => Promise<void>,
): Promise<void> {
  const { args, env } = connectionOf(databaseUrl)
  const child = spawn(
    file,
    [...args, '--format=custom', '--no-owner', '--no-privileges', `--snapshot=${snapshot}`],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = endOf(child, 'pg_dump')
  ended.catch(() => {})
  await take(child.stdout)
  await ended
}

/** Restores a dump in one transaction: all of it, or nothing. */
export async function restoreDump(
  file: string,
  databaseUrl: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { args, env } = connectionOf(databaseUrl)
  const child = spawn(
    file,
    [...args, '--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'],
    { env, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  const ended = endOf(child, 'pg_restore')
  ended.catch(() => {})
  try {
    await pipeline(parts, child.stdin)
  } catch (error) {
    // After EPIPE, pg_restore itself reports why it ended. Any other error means that the dump could not be read.
    // pg_restore is then killed, so that it does not mistake the error for the end of the dump.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) {
      child.kill('SIGKILL')
      throw error
    }
  }
  await ended
}

/** The catalogue of a dump, one line for each entry. Reads only the beginning of the dump. */
export async function listDump(file: string, parts: AsyncIterable<Uint8Array>): Promise<string[]> {
  const child = spawn(file, ['--list'], { env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = endOf(child, 'pg_restore')
  const listed = text(child.stdout)
  ended.catch(() => {})
  // pg_restore ends without reading the rest.
  await pipeline(parts, child.stdin).catch((error: unknown) => {
    if (
      !(
        error instanceof Error &&
        'code' in error &&
        ['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
      )
    )
      throw error
  })
  await ended
  return (await listed).split('\n').filter((line) => /^\d+;/.test(line))
}

const SHOWN_LENGTH = 2_000

async function endOf(child: ReturnType<typeof spawn>, program: Program): Promise<void> {
  let output = ''
  child.stderr?.pipe(
    new Writable({
      write(chunk, _, done) {
        output = (output + chunk).slice(-SHOWN_LENGTH)
        done()
      },
    }),
  )
  const [code] = await once(child, 'close')
  if (code !== 0) throw new BackupRefused(`${program} failed: ${output.trim()}`)
}
