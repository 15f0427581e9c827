type Names = Record<string, string>

/** The entry of a folder in package-lock.json. */
export interface Locked {
  version?: string
  integrity?: string
  license?: string
  link?: boolean
  /** The target folder of a link. */
  resolved?: string
  dependencies?: Names
  optionalDependencies?: Names
  peerDependencies?: Names
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/**
 * The folders of everything that `workspace` needs at runtime: packages, links to other workspaces, and these
 * workspaces.
 */
export function findRuntimeFolders(locked: Record<string, Locked>, workspace: string): string[] {
  const found = new Set([workspace])
  // Iterating over a set also visits entries that are added during the loop.
  for (const folder of found) for (const needed of findNeeded(locked, folder)) found.add(needed)
  return [...found].toSorted()
}

/** The folders of what a folder itself needs. */
export function findNeeded(locked: Record<string, Locked>, folder: string): string[] {
  const { link, resolved, ...needs } = locked[folder] ?? {}
  const found = link && resolved ? [resolved] : []
  for (const [name, optional] of namesOf(needs)) {
    const path = resolvePackage(locked, folder, name)
    if (path) found.push(path)
    else if (!optional) throw new Error(`${folder} needs ${name}, which is not in package-lock.json.`)
  }
  return found
}

function namesOf(needs: Locked): Map<string, boolean> {
  const {
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    optionalDependencies = {},
  } = needs
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return new Map([
    ...[...Object.keys(dependencies), ...peers].map((name) => [name, false] as const),
    ...Object.keys(optionalDependencies).map((name) => [name, true] as const),
  ])
}

/** Looks in the same places as Node: in the node_modules of the folder and of its parents. */
function resolvePackage(locked: Record<string, Locked>, folder: string, name: string): string | undefined {
  const parts = folder.split('/')
  for (let depth = parts.length; depth >= 0; depth--) {
    const path = [...parts.slice(0, depth), 'node_modules', name].join('/')
    if (locked[path]) return path
  }
  return undefined
}
