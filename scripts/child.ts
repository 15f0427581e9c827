import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const root = join(import.meta.dirname, '..')

/** The path of a program in an installed package. */
export const tool = (name: string) => join(root, 'node_modules', '.bin', name)

type Options = { cwd?: string; env?: Record<string, string>; shown?: boolean }
type Outcome = { ok: boolean; output: string }

const children = new Set<ChildProcess>()

/** Runs a program and returns its output. With `shown`, prints the output directly. */
export function run(program: string, args: string[], { cwd = root, env = {}, shown = false }: Options = {}) {
  return new Promise<Outcome>((resolve) => {
    const output: Buffer[] = []
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: shown ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk))
    child.once('error', (error) => output.push(Buffer.from(error.message)))
    child.once('close', (code) => {
      children.delete(child)
      resolve({ ok: code === 0, output: Buffer.concat(output).toString().trim() })
    })
  })
}

const STOP_TIMEOUT_MS = 10_000

/** Stops all child processes on a signal, or when the launcher exits. */
export function stopChildrenOnExit() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(signal, endAll)
  // The channel must not keep the process running when the work is done.
  process.channel?.unref()
}

async function endAll() {
  const ended = Promise.all(
    [...children].map((child) => new Promise((resolve) => child.once('close', resolve))),
  )
  for (const child of children) child.kill('SIGINT')
  await Promise.race([ended, pause(STOP_TIMEOUT_MS)])
  for (const child of children) child.kill('SIGKILL')
  process.exit(130)
}

/** Prints a line with the title and duration of a step. */
export async function timed<Result extends { ok: boolean }>(title: string, step: () => Promise<Result>) {
  const began = performance.now()
  process.stdout.write(`${title} ... `)
  const result = await step()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(result.ok ? `${seconds} s` : `failed, ${seconds} s`)
  return result
}
