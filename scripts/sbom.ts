import { findNeeded, findRuntimeFolders, type Locked } from './runtime-folders.ts'

/*
 * The parts of a release as a CycloneDX document: the packages in the archive, those that were bundled into the web app,
 * and Node. `npm sbom` would list the packages of all platforms instead, and neither Node nor what is bundled.
 */

interface Options {
  version: string
  /** Whether the archive contains a folder. Optional packages for other platforms are missing. */
  packed(folder: string): boolean
  timestamp: Date
}

const BUNDLED = 'web'
const NODE = 'node_modules/node'

export function createSbom(
  locked: Record<string, Locked>,
  { version, packed, timestamp }: Options,
): { components: Component[]; [field: string]: unknown } {
  const isPackage = (folder: string) => folder.includes('node_modules/') && !locked[folder]?.link
  const referenceOf = (folder: string) => `${nameOf(folder)}@${locked[folder]?.version}`
  const installed = findRuntimeFolders(locked, 'server').filter(packed)
  const folders = new Set([...installed, ...findRuntimeFolders(locked, BUNDLED), NODE])
  const isListed = (folder: string) => folders.has(folder) && isPackage(folder)
  /** A package may be there more than once. */
  const copies = Map.groupBy([...folders].filter(isPackage), referenceOf)
  const needsOf = (owners: string[]) => {
    const needed = owners.flatMap((folder) => findNeeded(locked, folder)).filter(isListed)
    return [...new Set(needed.map(referenceOf))].toSorted()
  }
  const own = [...folders].filter((folder) => !isPackage(folder))
  const product = { 'bom-ref': `sought@${version}`, type: 'application', name: 'sought', version }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { timestamp: timestamp.toISOString(), component: { ...product, licenses: licensesOf('MIT') } },
    components: [...copies].map(([reference, [folder = '']]) => describe(reference, folder, locked[folder])),
    dependencies: [
      // Our own workspaces are parts of the product.
      { ref: product['bom-ref'], dependsOn: [...needsOf(own), referenceOf(NODE)] },
      ...[...copies].map(([ref, owners]) => ({ ref, dependsOn: needsOf(owners) })),
    ],
  }
}

interface Component {
  'bom-ref': string
  name: string
  version: string
  purl: string
  [field: string]: unknown
}

const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

const licensesOf = (expression: string | undefined) => (expression ? [{ expression }] : [])

function describe(
  reference: string,
  folder: string,
  { version = '', integrity, license }: Locked = {},
): Component {
  const [, algorithm, digest = ''] = integrity?.match(/^sha(\d+)-(.+)$/) ?? []
  const content = Buffer.from(digest, 'base64').toString('hex')
  return {
    'bom-ref': reference,
    ...{ type: 'library', name: nameOf(folder), version },
    purl: `pkg:npm/${nameOf(folder).replace('@', '%40')}@${version}`,
    ...(algorithm && { hashes: [{ alg: `SHA-${algorithm}`, content }] }),
    licenses: licensesOf(license),
  }
}
