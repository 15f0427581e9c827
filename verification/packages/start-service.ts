import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

export interface StartedService {
  name: string
  child: ChildProcess
  output(): string
  /** Ends it with SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
  /** Resolves with the exit code when it has ended by itself. */
  ended: Promise<number | null>
}

/** Starts a program with these variables only. */
export function startService(
  name: string,
  [program = '', ...args]: string[],
  env: Record<string, string>,
  cwd: string,
): StartedService {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000)
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    name,
    child,
    output: () => output,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** The command that runs in the process of a service: a launcher or a shell would show up here. */
export async function findForeignProcess(
  { name, child }: StartedService,
  command: string[],
): Promise<string[]> {
  const running = (await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).split('\0').filter(Boolean)
  return running.join(' ') === command.join(' ') ? [] : [`${name} runs ${running.join(' ')}`]
}
