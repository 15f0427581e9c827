// Every npm script goes through here. This file and the two that it imports run on whatever Node the machine
// has (20 or later) and before anything is installed; everything else runs on the Node 24 in node_modules.
// package.json says "exec node ...", since a shell that stayed between npm and us would keep its signals.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findNode24, isInstalled, root } from './installed.mjs'

const commands = {
  start: ['scripts/build-web.ts', 'server/src/main.ts'],
  dev: ['scripts/dev.ts'],
  test: ['scripts/test.ts'],
  bench: ['bench/main.ts'],
  proof: ['scripts/build-web.ts', 'verification/main.ts'],
  admin: ['server/src/commands/admin.ts'],
  'ledger:check': ['server/src/commands/ledger-check.ts'],
  'db:reset': ['server/src/commands/reset-database.ts'],
}

/** A signal that comes again so soon is the same one by another way. */
const ECHO_MS = 1000
/** How long a step may take to stop. */
const PATIENCE_MS = 20_000

const onWindows = process.platform === 'win32'
const [name, ...options] = process.argv.slice(2)

/** The step that runs now, and the signal that we were asked to stop with. */
let child
let stopSignal
let stoppedAt = 0

async function launch() {
  const files = commands[name]
  if (!files) return refuse(`Commands: ${Object.keys(commands).join(', ')}.`)
  if (!isInstalled()) {
    const code = await run(process.execPath, ['scripts/install.mjs'])
    if (code !== 0) return code
  }
  const node = findNode24()
  if (!node)
    return refuse(
      'Node 24 is missing. Does npm here ignore install scripts? Run: npm install --no-save --ignore-scripts=false',
    )
  for (const file of files) {
    if (!existsSync(join(root, file))) return refuse(`${file} does not exist.`)
    const code = await run(node, [file, ...(file === files.at(-1) ? options : [])])
    if (code !== 0) return code
  }
  return 0
}

/**
 * The child leads a process group of its own. Ctrl-C in a terminal reaches a whole group, and npm passes the
 * signal on a second time: here both end with us, and the child hears of it once. A child whose channel to
 * us closes stops by itself, so a launcher that is killed leaves nothing running.
 */
function run(program, args) {
  return new Promise((resolve) => {
    if (stopSignal) return resolve(codeOf(stopSignal))
    child = spawn(program, args, {
      cwd: root,
      // Tools that start with "#!/usr/bin/env node" find the same Node as we do.
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      detached: !onWindows,
    })
    child.once('error', (error) => resolve(refuse(error.message)))
    child.once('exit', (code, signal) => {
      killGroup(child)
      if (code === 0) return resolve(0)
      resolve(stopSignal || signal ? codeOf(stopSignal ?? signal) : code)
    })
  })
}

function stop(signal) {
  const now = Date.now()
  if (stopSignal && now - stoppedAt < ECHO_MS) return
  if (!stopSignal) setTimeout(() => killGroup(child), PATIENCE_MS).unref()
  stopSignal = signal
  stoppedAt = now
  child?.kill(signal)
}

/** Whatever a step has left behind, for instance when it was killed itself. */
function killGroup(leader) {
  if (!leader?.pid || onWindows) return
  try {
    process.kill(-leader.pid, 'SIGKILL')
  } catch {
    // Nobody was left, as it should be.
  }
}

/** Nothing tells a child that its parent was killed, but it gets another parent. */
function stopWhenNpmDies() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && !stopSignal && stop('SIGTERM'), 1000).unref()
}

function codeOf(signal) {
  return 128 + constants.signals[signal]
}

function refuse(line) {
  console.error(line)
  return 1
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
stopWhenNpmDies()
process.exitCode = await launch()
