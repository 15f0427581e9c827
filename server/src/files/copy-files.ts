import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileStorage, OpenFile } from '../providers/files/file-storage.ts'
import { isFileName } from './files.ts'
import { ForeignStorage, readOwner, writeOwner } from './storage-owner.ts'

export interface CopyReport {
  copied: number
  /** The number of files that the target already had with the same content. */
  same: number
  bytes: number
  /** One line for each file that could not be copied or differs afterwards. */
  problems: string[]
}

const CONCURRENT_FILES = 8

/**
 * Copies all files from one storage to another, and compares sizes and checksums in the target. Files that already
 * exist are compared too, so an interrupted copy can be repeated.
 */
export async function copyFiles(
  from: FileStorage,
  to: FileStorage,
  onProgress: (report: CopyReport) => void = () => {},
): Promise<CopyReport> {
  const report: CopyReport = { copied: 0, same: 0, bytes: 0, problems: [] }
  await copyOwner(from, to)
  const names = from.list()[Symbol.asyncIterator]()
  const work = async () => {
    for (let next = await names.next(); !next.done; next = await names.next()) {
      const { name } = next.value
      if (!isFileName(name)) continue
      await copyFile(from, to, name, report)
      onProgress(report)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_FILES }, work))
  return report
}

/** Refuses to mix the files of two deployments. */
async function copyOwner(from: FileStorage, to: FileStorage): Promise<void> {
  const [owner, other] = [await readOwner(from), await readOwner(to)]
  if (owner && other && owner !== other)
    throw new ForeignStorage('the files of the target belong to another database')
  if (owner && !other) await writeOwner(to, owner)
}

async function copyFile(from: FileStorage, to: FileStorage, name: string, report: CopyReport): Promise<void> {
  const source = await from.open(name)
  // The file was removed since it was listed.
  if (!source) return
  const bytes = await buffer(source.stream)
  if (bytes.length !== source.sizeBytes) {
    report.problems.push(`${name}: read ${bytes.length} of ${source.sizeBytes} bytes`)
    return
  }
  if (await hasSame(to, name, bytes)) report.same++
  else {
    await to.write(name, bytes)
    if (await hasSame(to, name, bytes)) report.copied++
    else report.problems.push(`${name}: the copy differs`)
  }
  report.bytes += bytes.length
}

async function hasSame(storage: FileStorage, name: string, bytes: Buffer): Promise<boolean> {
  const file = await storage.open(name)
  if (!file) return false
  if (file.sizeBytes === bytes.length) return (await checksumOf(file)) === hash('sha256', bytes)
  file.stream.destroy()
  return false
}

async function checksumOf({ stream }: OpenFile): Promise<string> {
  const checksum = createHash('sha256')
  for await (const chunk of stream) checksum.update(chunk)
  return checksum.digest('hex')
}
