// Entry point of all npm scripts. This file, install.mjs and installed.mjs run before anything is installed, on
// Node 20 or later; everything else runs on the Node 24 in node_modules. package.json uses "exec node ...",
// because a shell between npm and this process would not pass signals on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findNode24, isInstalled, isRelease, root, serverEnv, serverFlags } from './installed.mjs'

const BUILD_WEB = 'scripts/build-web.ts'
const SERVER = 'server/src/main.ts'

const commands = {
  start: [BUILD_WEB, SERVER],
  dev: ['scripts/dev.ts'],
  test: ['scripts/test.ts'],
  bench: ['bench/main.ts'],
  lighthouse: ['bench/lighthouse.ts'],
  proof: [BUILD_WEB, 'verification/main.ts'],
  release: [BUILD_WEB, 'scripts/release.ts'],
  admin: ['server/src/commands/admin.ts'],
  'ledger:check': ['server/src/commands/ledger-check.ts'],
  doctor: ['server/src/commands/doctor.ts'],
  'stripe:doctor': ['server/src/commands/stripe-doctor.ts'],
  migrate: ['server/src/commands/migrate.ts'],
  'rotate-keys': ['server/src/commands/rotate-keys.ts'],
  'files:check': ['server/src/commands/check-files.ts'],
  'files:copy': ['server/src/commands/copy-files.ts'],
  backup: ['server/src/commands/backup.ts'],
  restore: ['server/src/commands/restore.ts'],
  'db:reset': ['server/src/commands/reset-database.ts'],
}

/** A second signal within this time is a duplicate: terminal and npm both send it. */
const DUPLICATE_SIGNAL_MS = 1000
/** How long a step may take to stop before it is killed, in addition to the drain time of a server. */
const STOP_TIMEOUT_MS = 20_000
const DRAIN_MS = Number(process.env.DRAIN_SECONDS || 5) * 1000

const onWindows = process.platform === 'win32'
const [name, ...options] = process.argv.slice(2)

/** The running step, and the signal that stopped us. */
let child
let stopSignal
let stoppedAt = 0

async function launch() {
  const files = commands[name]
  if (!files) return fail(`Commands: ${Object.keys(commands).join(', ')}.`)
  if (!isRelease && !isInstalled()) {
    const code = await run(process.execPath, ['scripts/install.mjs'])
    if (code !== 0) return code
  }
  const node = findNode24()
  if (!node)
    return fail(
      'Node 24 is missing. Does npm here ignore install scripts? Run: npm install --no-save --ignore-scripts=false',
    )
  for (const file of files) {
    if (isRelease && file === BUILD_WEB) continue
    if (!existsSync(join(root, file))) return fail(`${file} does not exist.`)
    const [flags, env] = file === SERVER ? [serverFlags, serverEnv] : [[], {}]
    const code = await run(node, [...flags, file, ...(file === files.at(-1) ? options : [])], env)
    if (code !== 0) return code
  }
  return 0
}

/**
 * Runs a step in its own process group. Ctrl-C signals the whole group of the terminal, and npm forwards the signal
 * again. With its own group, only the launcher gets both signals and sends one to the step. Steps stop when their
 * IPC channel closes, so nothing keeps running if the launcher is killed.
 */
function run(program, args, env = {}) {
  return new Promise((resolve) => {
    if (stopSignal) return resolve(exitCodeOf(stopSignal))
    child = spawn(program, args, {
      cwd: root,
      // Makes tools with "#!/usr/bin/env node" use the same Node.
      env: { ...env, ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: !onWindows,
    })
    child.once('error', (error) => resolve(fail(error.message)))
    child.once('exit', (code, signal) => {
      killGroup(child)
      if (code === 0) return resolve(0)
      resolve(stopSignal || signal ? exitCodeOf(stopSignal ?? signal) : code)
    })
  })
}

function stop(signal) {
  const now = Date.now()
  if (stopSignal && now - stoppedAt < DUPLICATE_SIGNAL_MS) return
  if (!stopSignal) setTimeout(() => killGroup(child), DRAIN_MS + STOP_TIMEOUT_MS).unref()
  stopSignal = signal
  stoppedAt = now
  child?.kill(signal)
}

/** Kills processes that a step left behind, for example because it was killed. */
function killGroup(leader) {
  if (!leader?.pid || onWindows) return
  try {
    process.kill(-leader.pid, 'SIGKILL')
  } catch {
    // No process was left.
  }
}

/** A process is not notified when its parent is killed, but its parent id changes. */
function stopWhenNpmDies() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && !stopSignal && stop('SIGTERM'), 1000).unref()
}

function exitCodeOf(signal) {
  return 128 + constants.signals[signal]
}

function fail(line) {
  console.error(line)
  return 1
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
stopWhenNpmDies()
process.exitCode = await launch()
