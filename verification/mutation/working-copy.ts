import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { root } from '../../scripts/child.ts'
import { linkPackages } from '../support/link-packages.ts'
import { applyEdits, type Edit } from './remove-guard.ts'

/** A copy of the project that may be broken. */
export interface WorkingCopy {
  folder: string
  /** Makes the edits, and returns a function that reverts them. */
  edit(edits: Edit[]): () => void
  remove(): void
}

/** Made by tools, or by running the product. */
const NOT_SOURCE = new Set(['.git', '.data', 'node_modules'])
/** The same, but only at the top: the product has features with such names. */
const NOT_SOURCE_AT_TOP = new Set(['test-results', 'playwright-report', 'coverage', 'reports'])

const isSource = (path: string) =>
  !NOT_SOURCE.has(basename(path)) && !NOT_SOURCE_AT_TOP.has(relative(root, path))

export function copyProject(): WorkingCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sought-mutation-')))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  cpSync(root, folder, { recursive: true, filter: isSource })
  linkPackages(folder)
  return { folder, remove, edit: (edits) => edit(folder, edits) }
}

function edit(folder: string, edits: Edit[]): () => void {
  const originals = new Map<string, string>()
  for (const [file, ofFile] of Map.groupBy(edits, (one) => one.file)) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    originals.set(path, text)
    writeFileSync(path, applyEdits(text, ofFile))
  }
  return () => {
    for (const [path, text] of originals) writeFileSync(path, text)
  }
}
