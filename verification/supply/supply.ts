import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../../scripts/child.ts'
import type { Line } from '../support/part.ts'

/* The dependencies: all pinned, no unapproved install scripts, no known vulnerabilities. */

interface Locked {
  version?: string
  link?: true
  integrity?: string
  hasInstallScript?: true
}

export async function supply(): Promise<Line[]> {
  const packages = lockedPackages()
  return [
    checkPinned(packages),
    checkInstallScripts(packages),
    await checkVulnerabilities(),
    await checkBillOfMaterials(packages),
  ]
}

type Packages = [path: string, locked: Locked][]

/** Without our own workspaces, which are links. */
function lockedPackages(): Packages {
  const lock: { packages: Record<string, Locked> } = readJson('package-lock.json')
  return Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

function checkPinned(packages: Packages): Line {
  const unpinned = packages.filter(([, { version, integrity }]) => !version || !integrity)
  return {
    what: 'packages with their version and hash in the lock file',
    times: packages.length,
    violations: unpinned.map(([path]) => `${path} is not pinned by a hash`),
  }
}

function checkInstallScripts(packages: Packages): Line {
  const { allowScripts }: { allowScripts: Record<string, boolean> } = readJson('package.json')
  const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  return {
    what: 'packages with an install script, each allowed or forbidden by name',
    times: withScript.length,
    violations: withScript
      .filter(([path]) => !(nameOf(path) in allowScripts))
      .map(([path]) => `${path} has an install script that is neither allowed nor forbidden`),
  }
}

interface Audit {
  vulnerabilities?: Record<string, { severity: string }>
}

const RELEVANT = new Set(['moderate', 'high', 'critical'])

/** If the registry has no audit endpoint, nothing is checked, and that is not a violation. */
async function checkVulnerabilities(): Promise<Line> {
  const { output } = await run('npm', ['audit', '--omit=dev', '--json'])
  const { vulnerabilities } = parseJson<Audit>(output)
  if (!vulnerabilities)
    return { what: 'vulnerability audits (the registry did not answer)', times: 0, violations: [] }
  const found = Object.entries(vulnerabilities).filter(([, { severity }]) => RELEVANT.has(severity))
  return {
    what: 'vulnerability audits of the production packages',
    times: 1,
    violations: found.map(([name, { severity }]) => `${name} has a vulnerability of severity ${severity}`),
  }
}

/** The bill of materials must list every installed package. */
async function checkBillOfMaterials(packages: Packages): Promise<Line> {
  const { output } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx'])
  const { components = [] } = parseJson<{ components?: { name: string }[] }>(output)
  const listed = new Set(components.map(({ name }) => name))
  const installed = packages.filter(([path]) => existsSync(join(root, path))).map(([path]) => nameOf(path))
  return {
    what: 'packages in the bill of materials',
    times: listed.size,
    violations: installed
      .filter((name) => !listed.has(name))
      .map((name) => `${name} is not in the bill of materials`),
  }
}

/** npm may print warnings before and after the JSON. */
function parseJson<Content extends object>(output: string): Partial<Content> {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}
