import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { run, tool } from './child.ts'

/** The headless shell runs the journeys in half the time of a full browser. */
const SHELL = 'chromium-headless-shell'
const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome']

/** An installed Chromium, or one that Playwright downloaded earlier. */
export function findChromium(): string | undefined {
  return listChromiums().find((place) => isExecutable(place) && canStart(place))
}

/** A Chromium with features that the shell lacks, such as push notifications. */
export function findFullChromium(): string | undefined {
  const isFull = (place: string) => !place.endsWith(SHELL)
  return listChromiums().find((place) => isFull(place) && isExecutable(place) && canStart(place))
}

function listChromiums(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const { CHROMIUM_PATH } = process.env
  return [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...onPath, chromium.executablePath()]
}

/** Finds Chromium, or installs it if that needs no password. */
export async function ensureChromium(log: (line: string) => void) {
  if (isSufficient(findChromium())) return { ok: true } as const
  log(`${SHELL} not found, installing it ...`)
  for (const install of listInstallMethods()) {
    await install()
    if (findChromium()) return { ok: true } as const
  }
  return {
    ok: false,
    why: `Chromium was not found and could not be installed. Install the package "${SHELL}" or "chromium", or set CHROMIUM_PATH.`,
  } as const
}

/** If none can be installed, the journeys that need a full Chromium report it. */
export async function installFullChromium(log: (line: string) => void): Promise<void> {
  if (findFullChromium()) return
  log('A full Chromium not found, installing it ...')
  for (const install of listInstallMethods(['chromium'])) {
    await install()
    if (findFullChromium()) return
  }
}

/** If another Chromium exists, installs the shell only when running as root (in containers). */
function isSufficient(found: string | undefined): boolean {
  if (!found) return false
  return found.endsWith(SHELL) || found === process.env.CHROMIUM_PATH || process.getuid?.() !== 0
}

function listInstallMethods(packages = [SHELL, 'chromium']): (() => Promise<unknown>)[] {
  const playwright = tool('playwright-core')
  const asRoot = findRootPrefix()
  if (!asRoot) return [() => run(playwright, ['install', 'chromium'])]
  const [program = '', ...first] = [...asRoot, 'sh', '-c']
  return [
    ...packages.map((name) => () => run(program, [...first, aptInstallCommand(name)])),
    () => run(playwright, ['install', '--with-deps', 'chromium']),
  ]
}

function aptInstallCommand(name: string): string {
  const install = `timeout 180 apt-get install -y --no-install-recommends ${name}`
  return `export DEBIAN_FRONTEND=noninteractive; ${install} || (timeout 180 apt-get update && ${install})`
}

/** The prefix that runs a command as root, or undefined if that needs a password. */
function findRootPrefix(): string[] | undefined {
  if (process.getuid?.() === 0) return []
  return spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : undefined
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** On some systems `chromium` is only a placeholder, and a download can lack libraries. */
function canStart(file: string): boolean {
  return spawnSync(file, ['--version'], { timeout: 20_000 }).status === 0
}
