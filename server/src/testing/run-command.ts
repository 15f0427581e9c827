import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { NODE_COMPILE_CACHE } = process.env

interface Ended {
  code: number
  /** What it printed, or its errors if it printed some. */
  output: string
}

/** Runs a command of server/src/commands in its own process. `typed` is its input. */
export function runCommand(
  name: string,
  args: string[],
  env: Record<string, string | undefined>,
  typed = '',
): Promise<Ended> {
  const file = fileURLToPath(new URL(`../commands/${name}.ts`, import.meta.url))
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: { PATH: '/usr/bin', NODE_COMPILE_CACHE, ...env } },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stderr.trim() || stdout.trim() }),
    )
    child.stdin?.end(typed)
  })
}
