import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/child.ts'
import type { Command } from './server-process-preload.ts'

const PRELOAD = new URL('./server-process-preload.ts', import.meta.url).href
const START_WITHIN_MS = 180_000
const POLL_MS = 25
const OUTPUT_LENGTH = 20_000

/** The real server in a separate process that can be killed and restarted. */
export interface ServerProcess {
  address: string
  start(): void
  /** Resolves once the server answers requests. */
  ready(): Promise<void>
  isUp(): boolean
  /** Replaces the callback for when the process ends by itself. */
  onExit(callback: () => void): void
  send(command: Command): void
  /** Runs the garbage collector and returns the size of the heap. */
  heapBytes(): Promise<number>
  /** Ends the process with SIGKILL. */
  kill(): Promise<unknown>
  /** Ends the process with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
  /** The unexpected errors in its log, and the last lines of its output. */
  output(): string
}

interface Options {
  role?: 'web' | 'worker'
  /** The folder with the code of another release. */
  folder?: string
}

export function createServerProcess(
  address: string,
  env: Record<string, string>,
  clockOffsetMs: () => number,
  { role, folder = root }: Options = {},
): ServerProcess {
  let child: ChildProcess | null = null
  let ending: Promise<number | null> = Promise.resolve(null)
  let up = false
  let output = ''
  let errors = ''
  let onExit = () => {}

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    up = false
    const ours = child
    child = null
    ours?.kill(signal)
    return ending
  }

  return {
    address,
    start() {
      const preload = `${PRELOAD}?clockOffsetMs=${clockOffsetMs()}`
      const started = spawn(
        process.execPath,
        ['--import', preload, join(folder, 'server/src/main.ts'), ...(role ? [role] : [])],
        {
          env: { PORT: new URL(address).port, PUBLIC_URL: address, DRAIN_SECONDS: '0', ...env },
          // The server stops by itself when this channel closes, however this process ends.
          stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        },
      )
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk) => {
          errors = (errors + unexpectedIn(String(chunk))).slice(0, OUTPUT_LENGTH)
          output = (output + chunk).slice(-OUTPUT_LENGTH)
        })
      }
      started.on('error', () => {})
      ending = once(started, 'exit').then(([code]) => {
        if (child === started) {
          child = null
          up = false
          onExit()
        }
        return code
      })
    },
    async ready() {
      const deadline = Date.now() + START_WITHIN_MS
      while (!up) {
        if (Date.now() > deadline) throw new Error(`the server does not start:\n${output}`)
        const current = child
        const reply = await fetch(`${address}/readyz`).catch(() => null)
        // The process that replied may have been killed in the meantime.
        up = reply?.ok === true && current !== null && current === child
        if (!up) await wait(POLL_MS)
      }
    },
    isUp: () => up,
    onExit(callback) {
      onExit = callback
    },
    send(command) {
      // A process that is just ending does not receive the command.
      if (child?.connected) child.send(command, () => {})
    },
    async heapBytes() {
      if (!child) throw new Error('the server is not up')
      const reply = once(child, 'message')
      child.send({ measureHeap: true } satisfies Command)
      const [bytes] = await reply
      return bytes
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output: () => `${errors}${output}`,
  }
}

const ERROR_LENGTH = 1_500

/** The log entries of requests that failed with an unknown error. */
function unexpectedIn(chunk: string): string {
  const at = chunk.indexOf('unexpected error')
  return at === -1 ? '' : `${chunk.slice(at, at + ERROR_LENGTH)}\n`
}
