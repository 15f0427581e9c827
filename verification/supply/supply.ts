import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from '../../scripts/child.ts'
import type { Line } from '../support/part.ts'

/* What the product is made of: that all of it is pinned, and that nothing in it is known to be bad. */

interface Locked {
  version?: string
  link?: true
  integrity?: string
  hasInstallScript?: true
}

export async function supply(): Promise<Line[]> {
  const packages = lockedPackages()
  return [pinned(packages), scriptsAllowed(packages), await knownHoles(), await billOfMaterials(packages)]
}

type Packages = [path: string, locked: Locked][]

/** Everything that is installed from elsewhere: what is a link, or ours, is left out. */
function lockedPackages(): Packages {
  const lock: { packages: Record<string, Locked> } = readJson('package-lock.json')
  return Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

function pinned(packages: Packages): Line {
  const loose = packages.filter(([, { version, integrity }]) => !version || !integrity)
  return {
    what: 'packages with their version and hash in the lock file',
    times: packages.length,
    violations: loose.map(([path]) => `${path} is not pinned by a hash`),
  }
}

function scriptsAllowed(packages: Packages): Line {
  const { allowScripts }: { allowScripts: Record<string, boolean> } = readJson('package.json')
  const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript)
  return {
    what: 'packages with an install script, each allowed or forbidden by name',
    times: withScript.length,
    violations: withScript
      .filter(([path]) => !(nameOf(path) in allowScripts))
      .map(([path]) => `${path} has an install script that nobody has decided about`),
  }
}

interface Audit {
  vulnerabilities?: Record<string, { severity: string }>
}

const MATTERS = new Set(['moderate', 'high', 'critical'])

/** A registry that does not answer this is no violation, but then nothing was tried either. */
async function knownHoles(): Promise<Line> {
  const { output } = await run('npm', ['audit', '--omit=dev', '--json'])
  const { vulnerabilities } = parsed<Audit>(output)
  if (!vulnerabilities) return { what: 'known holes (the registry did not answer)', times: 0, violations: [] }
  const holes = Object.entries(vulnerabilities).filter(([, { severity }]) => MATTERS.has(severity))
  return {
    what: 'audits of what a running server consists of',
    times: 1,
    violations: holes.map(([name, { severity }]) => `${name} has a hole of severity ${severity}`),
  }
}

/** The bill has every package that is installed here. */
async function billOfMaterials(packages: Packages): Promise<Line> {
  const { output } = await run('npm', ['sbom', '--sbom-format', 'cyclonedx'])
  const { components = [] } = parsed<{ components?: { name: string }[] }>(output)
  const listed = new Set(components.map(({ name }) => name))
  const installed = packages.filter(([path]) => existsSync(join(root, path))).map(([path]) => nameOf(path))
  return {
    what: 'packages in the bill of materials',
    times: listed.size,
    violations: installed.filter((name) => !listed.has(name)).map((name) => `${name} is not in the bill`),
  }
}

/** npm may say a word before and after what was asked for. */
function parsed<Content extends object>(output: string): Partial<Content> {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return {}
  }
}
