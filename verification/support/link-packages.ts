import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/child.ts'

/** Shares the project's packages with a copy, except our own workspaces, which must be the copy's. */
export function linkPackages(folder: string): void {
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules'))) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)]
    if (name === '@sought') cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(from, to)
  }
}
