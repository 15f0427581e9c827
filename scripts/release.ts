import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readStoredGazetteer } from '../server/src/features/board/places/stored-gazetteer.ts'
import { root, run, stopChildrenOnExit, timed } from './child.ts'
import { serverEnv, serverFlags } from './installed.mjs'
import { findRuntimeFolders } from './runtime-folders.ts'
import { createSbom } from './sbom.ts'

/*
 * npm run release: packs the built web app, the server, its packages and Node into one archive for this platform, which
 * starts without a registry (ADR 77).
 */

/** Not needed to run Sought, or impossible without the sources of the web app and the tests. */
const DEVELOPMENT_SCRIPTS = new Set(['dev', 'test', 'bench', 'lighthouse', 'proof', 'release', 'db:reset'])
const OTHERS = ['LICENSE', 'docs', 'deploy', 'web/dist', 'scripts/launch.mjs', 'scripts/installed.mjs']
/** Tests, compiler settings, and local secrets. */
const LEFT_OUT = /^(node_modules|testing|tsconfig\.json|\.env|secrets\.env)$|\.test\.ts$/

/** Replaces the shell by the server, so that nothing stays beside it, as npm and the launcher would. */
const START = `#!/bin/sh
# ./sought, ./sought web or ./sought worker starts the server.
cd "$(dirname "$(readlink -f "$0")")" || exit
${Object.entries(serverEnv)
  .map(([name, value]) => `export ${name}=${value}\n`)
  .join('')}exec node_modules/node/bin/node ${serverFlags.join(' ')} server/src/main.ts "$@"
`

interface Manifest {
  version: string
  scripts: Record<string, string>
  devDependencies?: object
  overrides?: object
  allowScripts?: object
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

async function release(): Promise<{ ok: boolean; output: string }> {
  const manifest: Manifest = readJson('package.json')
  const { version } = manifest
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version}\n`))
    return { ok: false, output: `CHANGELOG.md has no entry for version ${version}.` }
  const name = `sought-${version}-${process.platform}-${process.arch}`
  const temporary = mkdtempSync(join(tmpdir(), 'sought-release-'))
  try {
    await fill(join(temporary, name), manifest)
    return await pack(temporary, name)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

async function fill(folder: string, manifest: Manifest): Promise<void> {
  const copy = (path: string, leftOut?: RegExp) =>
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !leftOut?.test(basename(source)),
    })
  const workspaces: string[] = []
  for (const path of findRuntimeFolders(readJson('package-lock.json').packages, 'server')) {
    // Optional packages for other platforms are not installed.
    if (!existsSync(join(root, path))) continue
    if (path.includes('node_modules/')) copy(path)
    else workspaces.push(path)
  }
  for (const path of workspaces) copy(path, LEFT_OUT)
  for (const path of OTHERS) copy(path, LEFT_OUT)
  for (const path of readdirSync(root).filter((file) => file.endsWith('.md'))) copy(path)
  copy('node_modules/node/package.json')
  copy('node_modules/node/bin')
  await readStoredGazetteer(join(folder, 'server/node_modules/.cache'))
  writeFileSync(join(folder, 'sought'), START, { mode: 0o755 })
  const packed = (path: string) => existsSync(join(folder, path))
  writeFileSync(join(folder, 'sbom.cdx.json'), describeContents(manifest, packed))
  writeFileSync(join(folder, 'package.json'), describePackage(manifest, workspaces))
  writeFileSync(join(folder, 'SHA256SUMS'), await sumFiles(folder))
}

function describeContents({ version }: Manifest, packed: (path: string) => boolean): string {
  const { packages } = readJson('package-lock.json')
  const sbom = createSbom(packages, { version, packed, timestamp: new Date(releaseSeconds * 1000) })
  return `${JSON.stringify(sbom, null, 2)}\n`
}

function describePackage({ scripts, ...manifest }: Manifest, workspaces: string[]): string {
  const { devDependencies, overrides, allowScripts, ...kept } = manifest
  const ours = Object.entries(scripts).filter(([name]) => !DEVELOPMENT_SCRIPTS.has(name))
  return `${JSON.stringify({ ...kept, workspaces, scripts: Object.fromEntries(ours) }, null, 2)}\n`
}

/** In the format of sha256sum. */
async function sumFiles(folder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const lines = files.map((file) => `${sum(file)}  ${file.slice(folder.length + 1)}\n`)
  return lines.toSorted((one, two) => (one.slice(64) < two.slice(64) ? -1 : 1)).join('')
}

const sum = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * By default now: the server derives entity tags from the times of files, so they must differ between releases. Two
 * releases of the same sources and the same SOURCE_DATE_EPOCH are identical.
 */
const releaseSeconds = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000))

/** All files have the same time and no owner. */
async function pack(temporary: string, name: string): Promise<{ ok: boolean; output: string }> {
  const folder = join(root, 'release')
  mkdirSync(folder, { recursive: true })
  const archive = join(folder, `${name}.tar.gz`)
  const { ok, output } = await run('tar', [
    ...[
      '--sort=name',
      `--mtime=@${releaseSeconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=go=rX',
    ],
    ...['-C', temporary, '-czf', archive, name],
  ])
  if (!ok) return { ok, output }
  writeFileSync(`${archive}.sha256`, `${sum(archive)}  ${basename(archive)}\n`)
  const megabytes = (statSync(archive).size / 1_000_000).toFixed(1)
  return { ok, output: `release/${basename(archive)}: ${megabytes} MB` }
}

stopChildrenOnExit()
const { ok, output } = await timed('Packing the release', release)
console.log(output)
process.exitCode = ok ? 0 : 1
