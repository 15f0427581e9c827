import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Order } from './server-process-preload.ts'

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const PRELOAD = new URL('./server-process-preload.ts', import.meta.url).href
const READY_WITHIN_MS = 60_000
const POLL_MS = 25
const KEPT_OUTPUT = 20_000

/** The real server as a process of its own, on a database that outlives it. */
export interface KillableServer {
  address: string
  start(): void
  /** Resolves once it serves; at once while it does. */
  ready(): Promise<void>
  isUp(): boolean
  /** What to do when it has ended by itself, in the place of what was to be done before. */
  whenItDies(then: () => void): void
  tell(order: Order): void
  /** The bytes that it keeps. */
  weigh(): Promise<number>
  /** Ends it where it stands, without a word. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** The last that it said, for whoever looks into a failure. */
  output(): string
}

export function createKillableServer(
  address: string,
  env: Record<string, string>,
  turnedMs: () => number,
): KillableServer {
  let child: ChildProcess | null = null
  let ending: Promise<void> = Promise.resolve()
  let up = false
  let output = ''
  let whenItDies = () => {}

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    up = false
    const ours = child
    child = null
    ours?.kill(signal)
    await ending
  }

  return {
    address,
    start() {
      const started = spawn(process.execPath, ['--import', PRELOAD, MAIN, String(turnedMs())], {
        env: { ...env, PORT: new URL(address).port, PUBLIC_URL: address },
        // The server stops by itself when the channel closes, however we end.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr]) {
        stream?.on('data', (chunk) => {
          output = (output + chunk).slice(-KEPT_OUTPUT)
        })
      }
      started.on('error', () => {})
      ending = once(started, 'exit').then(() => {
        if (child !== started) return
        child = null
        up = false
        whenItDies()
      })
    },
    async ready() {
      const deadline = Date.now() + READY_WITHIN_MS
      while (!up) {
        if (Date.now() > deadline) throw new Error(`the server does not come up:\n${output}`)
        const asked = child
        const reply = await fetch(`${address}/readyz`).catch(() => null)
        // What answered may have been killed meanwhile.
        up = reply?.ok === true && asked !== null && asked === child
        if (!up) await wait(POLL_MS)
      }
    },
    isUp: () => up,
    whenItDies(then) {
      whenItDies = then
    },
    tell(order) {
      // One that dies just now hears nothing any more.
      if (child?.connected) child.send(order, () => {})
    },
    async weigh() {
      if (!child) throw new Error('the server is not up')
      const answered = once(child, 'message')
      child.send({ weigh: true } satisfies Order)
      const [bytes] = await answered
      return bytes
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output: () => output,
  }
}
