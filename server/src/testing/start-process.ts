import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { freePort } from '../core/free-port.ts'

const { NODE_COMPILE_CACHE } = process.env
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

interface StartedProcess {
  address: string
  process: ChildProcess
  /** Resolves with the exit code. */
  exited: Promise<number>
  /** Resolves with what it wrote to stderr. */
  errors: Promise<string>
}

/** Starts the server in its own process, until the end of the test. */
export async function startProcess(
  env: Record<string, string>,
  role?: 'web' | 'worker',
): Promise<StartedProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-test-'))
  const port = await freePort()
  const server = spawn(process.execPath, [MAIN, ...(role ? [role] : [])], {
    env: {
      PATH: '/usr/bin',
      ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      LOAD_SHEDDING: 'off',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(server, 'exit').then(([code]) => code)
  onTestFinished(async () => {
    server.kill('SIGINT')
    await exited
    await rm(dataDir, { recursive: true, force: true })
  })
  return { address: `http://127.0.0.1:${port}`, process: server, exited, errors: text(server.stderr) }
}
