import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/* A third-party S3 server, s3rver, in its own process, which tests can kill (ADR 70). */

const PROCESS = fileURLToPath(new URL('./s3-server-process.ts', import.meta.url))
/** s3rver numbers the pages of lists with a cipher that OpenSSL 3 calls legacy. */
const LEGACY_CIPHERS = '--openssl-legacy-provider'
/** The only keys that s3rver accepts. */
const KEYS = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
const BUCKET = 'sought-files'

export interface S3Server {
  /** The settings of a deployment that uses the bucket of this server. */
  env: Record<'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_REGION' | keyof typeof KEYS, string>
  /** The folder of its objects. */
  directory: string
  /** Ends the process with SIGKILL. Objects that were being written are gone. */
  kill(): Promise<void>
  /** Starts it again with the same address and files. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts an S3 server with an empty bucket. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'sought-s3-'))
  let port = 0
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const started = fork(PROCESS, [directory, String(port), BUCKET], { execArgv: [LEGACY_CIPHERS] })
    child = started
    const failed = once(started, 'exit').then(() => {
      throw new Error('s3rver does not start')
    })
    const [message] = await Promise.race([once(started, 'message'), failed])
    failed.catch(() => {})
    port = message
  }
  async function kill(): Promise<void> {
    const ended = child
    child = undefined
    if (!ended) return
    const exit = once(ended, 'exit')
    ended.kill('SIGKILL')
    await exit
    await removeUnfinishedObjects(directory)
  }

  await start()
  return {
    directory,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_REGION: 'us-east-1',
      ...KEYS,
    },
    kill,
    start,
    async close() {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * S3 stores an object as a whole or not at all. s3rver writes the metadata last, and if a kill leaves it empty, it can
 * neither list nor read the bucket any more.
 */
async function removeUnfinishedObjects(directory: string): Promise<void> {
  const suffix = 'metadata.json'
  for (const file of globSync(`**/*._S3rver_${suffix}`, { cwd: directory })) {
    const path = join(directory, file)
    if (isJson(await readFile(path, 'utf8'))) continue
    const object = path.slice(0, -suffix.length)
    for (const part of [suffix, 'object', 'object.md5']) await rm(object + part, { force: true })
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
