import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** npm writes this file when an install is complete, and it says what was installed. */
export const installedLock = join(root, 'node_modules', '.package-lock.json')

export function isInstalled() {
  return installedMatchesLock() && findNode24() !== undefined
}

/** Node 24 is a package like any other; a machine that has it, or a later one, needs no second copy. */
export function findNode24() {
  const installed = join(
    root,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  return [installed, process.execPath].find((node) => majorVersion(node) >= 24)
}

function majorVersion(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10)
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt(stdout?.slice(1) ?? '', 10)
}

/** Optional packages are left out where they do not fit the machine, so those may be missing. */
function installedMatchesLock() {
  const installed = packagesIn(installedLock)
  if (!installed) return false
  return Object.entries(packagesIn(join(root, 'package-lock.json')) ?? {})
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, wanted]) => {
      const found = installed[path]
      return found
        ? found.version === wanted.version && found.integrity === wanted.integrity
        : wanted.optional || wanted.devOptional
    })
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
