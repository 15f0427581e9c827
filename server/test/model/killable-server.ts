import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const READY_WITHIN_MS = 60_000
const POLL_MS = 25
const KEPT_OUTPUT = 20_000

/** The real server as a process of its own, on a database that outlives it. */
export interface KillableServer {
  start(): void
  /** Resolves once it serves; at once while it does. */
  ready(): Promise<void>
  isUp(): boolean
  /** Ends it where it stands, without a word. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** The last that it said, for whoever looks into a failure. */
  output(): string
}

export function createKillableServer(address: string, env: Record<string, string>): KillableServer {
  let child: ChildProcess | null = null
  let up = false
  let output = ''

  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    up = false
    const ending = child
    child = null
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
  }

  return {
    start() {
      child = spawn(process.execPath, [MAIN], {
        env: { ...env, PORT: new URL(address).port, PUBLIC_URL: address },
        // The server stops by itself when the channel closes, however we end.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk) => {
          output = (output + chunk).slice(-KEPT_OUTPUT)
        })
      }
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
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output: () => output,
  }
}
