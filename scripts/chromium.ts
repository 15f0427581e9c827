import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { run, tool } from './child.ts'

/** The shell, which draws no browser around the page, does the same journeys in half the time. */
const SHELL = 'chromium-headless-shell'
const names = [SHELL, 'chromium', 'chromium-browser', 'google-chrome']

/** The Chromium of the machine, or the one that Playwright has downloaded before. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  const { CHROMIUM_PATH } = process.env
  const places = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...onPath, chromium.executablePath()]
  return places.find((place) => isExecutable(place) && starts(place))
}

/** Finds Chromium, or installs it where that is possible without asking anybody. */
export async function ensureChromium(say: (line: string) => void) {
  if (isGoodEnough(findChromium())) return { ok: true } as const
  say(`no ${SHELL} here; installing it ...`)
  for (const install of waysToInstall()) {
    await install()
    if (findChromium()) return { ok: true } as const
  }
  return {
    ok: false,
    why: `There is no Chromium, and none could be installed: install the package "${SHELL}" or "chromium", or set CHROMIUM_PATH to one.`,
  } as const
}

/** Only a machine where we are root anyway is given the shell beside a Chromium that it has. */
function isGoodEnough(found: string | undefined): boolean {
  if (!found) return false
  return found.endsWith(SHELL) || found === process.env.CHROMIUM_PATH || process.getuid?.() !== 0
}

function waysToInstall(): (() => Promise<unknown>)[] {
  const playwright = tool('playwright-core')
  const asRoot = prefixForRoot()
  if (!asRoot) return [() => run(playwright, ['install', 'chromium'])]
  const [program = '', ...first] = [...asRoot, 'sh', '-c']
  return [
    () => run(program, [...first, fromDebian(SHELL)]),
    () => run(program, [...first, fromDebian('chromium')]),
    () => run(playwright, ['install', '--with-deps', 'chromium']),
  ]
}

function fromDebian(name: string): string {
  const install = `timeout 180 apt-get install -y --no-install-recommends ${name}`
  return `export DEBIAN_FRONTEND=noninteractive; ${install} || (timeout 180 apt-get update && ${install})`
}

/** What to put before a command so that it runs as root; undefined where that would take a password. */
function prefixForRoot(): string[] | undefined {
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

/** Some systems have a `chromium` that only tells where to get one, and downloads may lack libraries. */
function starts(file: string): boolean {
  return spawnSync(file, ['--version'], { timeout: 20_000 }).status === 0
}
