import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installedLock, isInstalled, root } from './installed.mjs'

/**
 * Not `npm ci`: it insists that the lock names the packages of every platform, and a registry that mirrors
 * only some of them cannot make such a lock. The versions are those of the lock either way.
 */
const INSTALL = ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev', '--include=optional']

const lockFile = join(root, '.data', 'install.lock')
const BEAT_MS = 1000
/** A holder that has not touched its lock for so long is dead. */
const DEAD_MS = 10_000

let npm
let unlock = () => {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, giveUp)
process.channel?.unref()

async function install() {
  const began = Date.now()
  process.stdout.write('Installing packages ... ')
  // An install that was cut off may have left packages half unpacked, which npm would take for whole.
  if (!existsSync(installedLock)) rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  rmSync(installedLock, { force: true })
  const { code, output } = await runNpm(INSTALL)
  if (code !== 0) return fail(output)
  if (!isInstalled())
    return fail('What npm installed is not what package-lock.json asks for: run npm install.')
  console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`)
  return 0
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
      env: { ...process.env, PATH: pathWithoutOurs() },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => output.push(chunk))
    npm.once('error', (error) => resolve({ code: 1, output: error.message }))
    npm.once('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(output).toString() }))
  })
}

/** npm puts our node_modules/.bin first, where `node` is the one that is about to be replaced. */
function pathWithoutOurs() {
  const ours = join(root, 'node_modules')
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ours))
    .join(delimiter)
}

/**
 * Two launches of one clone must not install at once. The holder touches the file every second, so a waiter
 * sees when it has died; its process id would prove less, since the system gives those out again.
 */
async function takeLock() {
  mkdirSync(dirname(lockFile), { recursive: true })
  let said = false
  while (!tryLock()) {
    if (!said) console.log('Waiting for another launch that is installing ...')
    said = true
    await pause(200)
  }
  const beat = setInterval(() => writeFileSync(lockFile, ''), BEAT_MS)
  return () => {
    clearInterval(beat)
    rmSync(lockFile, { force: true })
  }
}

function tryLock() {
  const touched = statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs
  if (touched !== undefined && Date.now() - touched > DEAD_MS) rmSync(lockFile, { force: true })
  try {
    writeFileSync(lockFile, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** The launcher made us the leader of a process group, in which npm and the install scripts run too. */
function giveUp() {
  unlock()
  npm?.kill('SIGTERM')
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.exit(130)
  }
}

unlock = await takeLock()
try {
  if (!isInstalled()) process.exitCode = await install()
} finally {
  unlock()
}
