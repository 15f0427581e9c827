import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/child.ts'
import { linkPackages } from './link-packages.ts'

const readPackage = (workspace: string) =>
  JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))

/** Where Node finds a package that a workspace imports. */
function find(folder: string, workspace: string, name: string): string | undefined {
  const places = [join(folder, workspace, 'node_modules', name), join(folder, 'node_modules', name)]
  const found = places.find((place) => existsSync(place))
  return found && realpathSync(found)
}

test('each workspace of a copy resolves the same packages as the project', () => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'sought-test-')))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  linkPackages(copy)
  const wanted = readPackage('.').workspaces.flatMap((workspace: string) => {
    const { dependencies = {}, devDependencies = {} } = readPackage(workspace)
    return Object.keys({ ...dependencies, ...devDependencies })
      .filter((name) => !name.startsWith('@sought/'))
      .map((name) => ({ workspace, name }))
  })
  expect(wanted.length).toBeGreaterThan(50)
  for (const { workspace, name } of wanted)
    expect(find(copy, workspace, name), `${name} in ${workspace}`).toBe(find(root, workspace, name))
})
