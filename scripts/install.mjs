import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installedLock, isInstalled, root } from './installed.mjs'

/**
 * Not `npm ci`, because it requires a lock file with the packages of every platform, and a registry that mirrors
 * only some of them cannot produce one. The installed versions are those of the lock file either way.
 */
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--include=optional']

/** npm reads this file instead of package-lock.json. It exists only during an install. */
const shrinkwrap = join(root, 'npm-shrinkwrap.json')
const lockFile = join(root, '.data', 'install.lock')
const HEARTBEAT_MS = 1000
/** A lock that was not touched for this long belongs to a dead process. */
const STALE_MS = 10_000

let npm
let unlock = () => {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, abort)
process.channel?.unref()

async function install() {
  const began = Date.now()
  process.stdout.write('Installing packages ... ')
  // An aborted install can leave incomplete packages, which npm would not notice.
  if (!existsSync(installedLock)) rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  rmSync(installedLock, { force: true })
  const isWritten = await writeShrinkwrap()
  let { code, output } = await runNpm(INSTALL)
  rmSync(shrinkwrap, { force: true })
  if (code !== 0 && isWritten) ({ code, output } = await runNpm(INSTALL))
  if (code !== 0) return fail(output)
  if (!isInstalled()) return fail('The installed packages do not match package-lock.json. Run npm install.')
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`)
  return 0
}

/**
 * package-lock.json names no registry, so npm would ask for the versions of each package before it downloads one. This
 * takes as long as the rest of the install. Registries use the same address for a version's archive, so we name it.
 */
async function writeShrinkwrap() {
  const { code, output } = await runNpm(['config', 'get', 'registry'])
  const registry = output
    .match(/^https?:.*$/m)?.[0]
    .trim()
    .replace(/\/$/, '')
  if (code !== 0 || !registry) return false
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    const [, name] = path.match(/^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/) ?? []
    if (!name || entry.link || entry.resolved) continue
    const real = entry.name ?? name
    entry.resolved = `${registry}/${real}/-/${basename(real)}-${entry.version}.tgz`
  }
  writeFileSync(shrinkwrap, JSON.stringify(lock))
  return true
}

function fail(output) {
  console.log(`failed\n${output}`)
  return 1
}

function runNpm(args) {
  return new Promise((resolve) => {
    const output = []
    npm = spawn('npm', args, {
      cwd: root,
      env: { ...process.env, PATH: pathWithoutNodeModules() },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => output.push(chunk))
    npm.once('error', (error) => resolve({ code: 1, output: error.message }))
    npm.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString() }))
  })
}

/** npm adds our node_modules/.bin to PATH, but its `node` is about to be replaced. */
function pathWithoutNodeModules() {
  const ours = join(root, 'node_modules')
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ours))
    .join(delimiter)
}

/**
 * Prevents two concurrent installs in one clone. The owner of the lock touches the file every second, so that
 * others notice when it dies. A process id would be less reliable, because the system reuses them.
 */
async function acquireLock() {
  mkdirSync(dirname(lockFile), { recursive: true })
  let hasLogged = false
  while (!tryLock()) {
    if (!hasLogged) console.log('Waiting for another install to finish ...')
    hasLogged = true
    await pause(200)
  }
  const heartbeat = setInterval(() => writeFileSync(lockFile, ''), HEARTBEAT_MS)
  return () => {
    clearInterval(heartbeat)
    rmSync(lockFile, { force: true })
  }
}

function tryLock() {
  const touched = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs
  if (touched !== undefined && Date.now() - touched > STALE_MS) rmSync(lockFile, { force: true })
  try {
    writeFileSync(lockFile, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** The launcher made this process a group leader, so this also stops npm and its install scripts. */
function abort() {
  rmSync(shrinkwrap, { force: true })
  unlock()
  npm?.kill('SIGTERM')
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(130)
  }
}

unlock = await acquireLock()
try {
  if (!isInstalled()) process.exitCode = await install()
} finally {
  unlock()
}
