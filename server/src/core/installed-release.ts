import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

const ROOT = new URL('../../../', import.meta.url)

/** Whether this is an unpacked release archive, as in scripts/installed.mjs. */
export const isReleaseArchive = (): boolean => existsSync(new URL('SHA256SUMS', ROOT))

export async function readVersion(): Promise<string> {
  return JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')).version
}
