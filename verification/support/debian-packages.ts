import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../scripts/child.ts'

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin', '/bin', '/sbin']

/** Returns the path of a program. Installs its package first if it is missing and that needs no password. */
export async function ensureProgram(program: string, packageName = program): Promise<string> {
  const known = findProgram(program)
  if (known) return known
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  for (const command of [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', packageName],
  ]) {
    const [first = '', ...rest] = [...sudo, ...command]
    await run(first, rest, { env })
  }
  const installed = findProgram(program)
  if (!installed) throw new Error(`${program} is missing and could not be installed. Install ${packageName}.`)
  return installed
}

function findProgram(program: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
