import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from '../../scripts/child.ts'

export interface UnpackedRelease {
  sizeBytes: number
  unpacked: string
}

/** Packs a release and unpacks it in a folder. */
export async function unpackRelease(folder: string): Promise<UnpackedRelease> {
  const packed = await run(process.execPath, [join(root, 'scripts/release.ts')])
  if (!packed.ok) throw new Error(packed.output)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const name = `sought-${version}-${process.platform}-${process.arch}`
  const file = join(root, 'release', `${name}.tar.gz`)
  const { ok, output } = await run('tar', ['-xzf', file, '-C', folder])
  if (!ok) throw new Error(output)
  return { sizeBytes: (await stat(file)).size, unpacked: join(folder, name) }
}
