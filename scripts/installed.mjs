import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A release contains its packages and the built web app, but no sources to install or build them. */
export const isRelease = existsSync(join(root, 'SHA256SUMS'))

/**
 * V8 otherwise lets its young generation grow to over 100 MB while the server loads, and keeps it. The files in
 * deploy name the same flags (ADR 108).
 */
export const serverFlags = ['--max-semi-space-size=4']

/** glibc otherwise keeps an arena of freed memory for each thread. */
export const serverEnv = { MALLOC_ARENA_MAX: '2' }

/** npm writes this file at the end of an install. It lists the installed packages. */
export const installedLock = join(root, 'node_modules', '.package-lock.json')

export function isInstalled() {
  return installedMatchesLock() && findNode24() !== undefined
}

/** Node 24 comes from the `node` package, unless the machine already has Node 24 or later. */
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

/** Optional packages for other platforms may be missing. */
function installedMatchesLock() {
  const installed = readPackages(installedLock)
  if (!installed) return false
  return Object.entries(readPackages(join(root, 'package-lock.json')) ?? {})
    .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
    .every(([path, wanted]) => {
      const found = installed[path]
      return found
        ? found.version === wanted.version && found.integrity === wanted.integrity
        : wanted.optional || wanted.devOptional
    })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}
