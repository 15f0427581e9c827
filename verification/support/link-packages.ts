import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/child.ts'

/** Shares the project's packages with a copy, except our own workspaces and caches, which must be the copy's. */
export function linkPackages(folder: string): void {
  // A workspace has packages of its own if another one needs a different version.
  for (const packages of globSync('{node_modules,*/node_modules}', { cwd: root })) {
    mkdirSync(join(folder, packages), { recursive: true })
    for (const name of readdirSync(join(root, packages))) {
      const [from, to] = [join(root, packages, name), join(folder, packages, name)]
      if (name === '@sought' || name === '.cache')
        cpSync(from, to, { recursive: true, verbatimSymlinks: true })
      else if (!name.startsWith('.') || name === '.bin') symlinkSync(from, to)
    }
  }
}
