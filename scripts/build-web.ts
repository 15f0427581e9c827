import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { withFileLock } from '../server/src/core/file-lock.ts'
import { root, run, stopChildrenOnExit, timed, tool } from './child.ts'

/** All inputs of the bundle. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/browser-fields.ts',
  'web/tsconfig.json',
  'tsconfig.json',
  'contract/src',
  'escrow/src',
  'package-lock.json',
]

const web = join(root, 'web')
/** `client` has the files for browsers, `server` the code that renders public pages. */
const dist = join(web, 'dist')
const STAMP = '.sources'

/** Builds the web app into web/dist, unless it is up to date. */
export async function buildWeb(): Promise<{ ok: boolean; output: string }> {
  mkdirSync(join(root, '.data'), { recursive: true })
  return withFileLock(join(root, '.data', 'build-web.lock'), async () => {
    const sourceHash = hashSources()
    return readBuiltHash() === sourceHash ? { ok: true, output: '' } : build(sourceHash)
  })
}

/** Builds into a temporary folder and swaps it in, so that an aborted build leaves the previous one intact. */
async function build(sourceHash: string) {
  const unfinished = join(web, 'node_modules', '.build')
  const previous = `${unfinished}-previous`
  rmSync(unfinished, { recursive: true, force: true })
  // React must be built for production, even if a test starts the build.
  const env = { NODE_ENV: 'production' }
  const vite = (...options: string[]) => run(tool('vite'), ['build', ...options], { cwd: web, env })
  const results = await Promise.all([
    vite('--outDir', join(unfinished, 'client')),
    vite('--outDir', join(unfinished, 'server'), '--ssr', 'src/entry-server.tsx'),
  ])
  const failed = results.find(({ ok }) => !ok)
  if (failed) return failed
  await compressAll(join(unfinished, 'client'))
  writeFileSync(join(unfinished, STAMP), sourceHash)
  rmSync(previous, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, previous)
  renameSync(unfinished, dist)
  rmSync(previous, { recursive: true, force: true })
  return { ok: true, output: '' }
}

function readBuiltHash(): string | undefined {
  const stamp = join(dist, STAMP)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => listFiles(join(root, source)))) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)))
}

const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml'])

/** Compresses all files at build time, so that the server does not have to. */
async function compressAll(folder: string) {
  await Promise.all(
    listFiles(folder)
      .filter((file) => COMPRESSIBLE.has(extname(file)))
      .map(compress),
  )
}

async function compress(file: string) {
  const content = await readFile(file)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const versions = {
    br: await promisify(brotliCompress)(content, { params: quality }),
    gz: await promisify(gzip)(content, { level: 9 }),
  }
  // Some small files are smaller without compression.
  for (const [extension, compressed] of Object.entries(versions))
    if (compressed.length < content.length) await writeFile(`${file}.${extension}`, compressed)
}

if (import.meta.main && readBuiltHash() !== hashSources()) {
  stopChildrenOnExit()
  const { ok, output } = await timed('Building the web app', buildWeb)
  if (!ok) console.error(output)
  process.exitCode = ok ? 0 : 1
}
