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
import { withFileLock } from '../server/src/platform/file-lock.ts'
import { endChildrenWithUs, root, run, timed, tool } from './child.ts'

/** Everything that the bundle is made from. */
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'web/tsconfig.json',
  'contract/src',
  'escrow/src',
  'package-lock.json',
]

const web = join(root, 'web')
const dist = join(web, 'dist')
const STAMP = '.sources'

/** Builds the web app into web/dist, unless what lies there was made from the sources as they are. */
export async function buildWeb(): Promise<{ ok: boolean; output: string }> {
  mkdirSync(join(root, '.data'), { recursive: true })
  return withFileLock(join(root, '.data', 'build-web.lock'), async () => {
    const wanted = hashOfSources()
    return builtFrom() === wanted ? { ok: true, output: '' } : build(wanted)
  })
}

/** Elsewhere first, then swapped in whole: a build that is killed leaves the last one as it was. */
async function build(wanted: string) {
  const unfinished = join(web, 'node_modules', '.build')
  const previous = `${unfinished}-previous`
  const result = await run(tool('vite'), ['build', '--outDir', unfinished, '--emptyOutDir'], { cwd: web })
  if (!result.ok) return result
  await compressAll(unfinished)
  writeFileSync(join(unfinished, STAMP), wanted)
  rmSync(previous, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, previous)
  renameSync(unfinished, dist)
  rmSync(previous, { recursive: true, force: true })
  return result
}

function builtFrom(): string | undefined {
  const stamp = join(dist, STAMP)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(join(root, source)))) {
    hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}

const COMPRESSIBLE = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest', '.xml'])
const WORTH_COMPRESSING_BYTES = 1024

/** Compressed once here, as far as it goes, so that the server never has to. */
async function compressAll(folder: string) {
  const files = filesIn(folder).filter(
    (file) => COMPRESSIBLE.has(extname(file)) && statSync(file).size > WORTH_COMPRESSING_BYTES,
  )
  await Promise.all(files.map(compress))
}

async function compress(file: string) {
  const content = await readFile(file)
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: quality }))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}

if (import.meta.main && builtFrom() !== hashOfSources()) {
  endChildrenWithUs()
  const { ok, output } = await timed('Building the web app', buildWeb)
  if (!ok) console.error(output)
  process.exitCode = ok ? 0 : 1
}
