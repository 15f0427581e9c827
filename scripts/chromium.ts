import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { run, tool } from './child.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome']

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
  if (findChromium()) return { ok: true } as const
  say('no Chromium here; installing one ...')
  for (const install of waysToInstall()) {
    await install()
    if (findChromium()) return { ok: true } as const
  }
  return {
    ok: false,
    why: 'There is no Chromium, and none could be installed: install the package "chromium", or set CHROMIUM_PATH to one.',
  } as const
}

function waysToInstall(): (() => Promise<unknown>)[] {
  const playwright = tool('playwright-core')
  const asRoot = prefixForRoot()
  if (!asRoot) return [() => run(playwright, ['install', 'chromium'])]
  const [program = '', ...first] = [...asRoot, 'sh', '-c', FROM_DEBIAN]
  return [() => run(program, first), () => run(playwright, ['install', '--with-deps', 'chromium'])]
}

const FROM_DEBIAN =
  'export DEBIAN_FRONTEND=noninteractive; apt-get update && apt-get install -y --no-install-recommends chromium'

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
