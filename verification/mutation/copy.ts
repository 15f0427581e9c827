import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root } from '../../scripts/child.ts'
import { type Edit, without } from './guard.ts'

/** A copy of the working tree, in which things may be broken. */
export interface Copy {
  folder: string
  /** Makes the edits, and gives what undoes them. */
  takeAway(edits: Edit[]): () => void
  remove(): void
}

/** Made by tools, or by running the product. */
const NOT_SOURCES = new Set([
  '.git',
  '.data',
  '.types',
  'node_modules',
  'test-results',
  'playwright-report',
  'coverage',
])

export function copyWorkingTree(): Copy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sought-guards-')))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    cpSync(root, folder, { recursive: true, filter: (path) => !NOT_SOURCES.has(basename(path)) })
    linkPackages(folder)
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove, takeAway: (edits) => takeAway(folder, edits) }
}

/** Packages are the project's own; our workspaces among them must be the copy's. */
function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    if (name === '@sought') cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(from, to)
  }
}

function takeAway(folder: string, edits: Edit[]): () => void {
  const changed = new Map<string, string>()
  const putBack = () => {
    for (const [path, text] of changed) writeFileSync(path, text)
  }
  try {
    for (const edit of edits) {
      const path = join(folder, edit.file)
      const text = readFileSync(path, 'utf8')
      if (!changed.has(path)) changed.set(path, text)
      writeFileSync(path, without(text, edit))
    }
  } catch (error) {
    putBack()
    throw error
  }
  return putBack
}
