import { createHash, hash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { FileStorage, OpenFile } from '../providers/files/file-storage.ts'
import { isFileName } from './files.ts'
import { ForeignStorage, readOwner, writeOwner } from './storage-owner.ts'

export interface CopyReport {
  copied: number
  /** The target had them already, with the same content. */
  same: number
  bytes: number
  /** Lines about files that could not be copied or differ after copying. */
  problems: string[]
}

const CONCURRENT_FILES = 8

/**
 * Copies all files from one storage to another and compares the sizes and checksums of what the target then has. Files
 * that are there already are compared too, so an interrupted copy can be repeated.
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

/** Files of another deployment must not be mixed with these. */
async function copyOwner(from: FileStorage, to: FileStorage): Promise<void> {
  const [owner, other] = [await readOwner(from), await readOwner(to)]
  if (owner && other && owner !== other)
    throw new ForeignStorage('the files of the target belong to another database')
  if (owner && !other) await writeOwner(to, owner)
}

async function copyFile(from: FileStorage, to: FileStorage, name: string, report: CopyReport): Promise<void> {
  const source = await from.open(name)
  // Removed since it was listed.
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
