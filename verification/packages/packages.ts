import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Line, Part } from '../support/part.ts'
import { unpackRelease } from '../support/unpack-release.ts'
import { startCompose } from './compose.ts'
import type { Context } from './context.ts'
import { buildImage } from './image.ts'
import { startUnits, verifyUnits } from './systemd.ts'

/*
 * What deploy/ describes, started as far as a machine without Docker, Kubernetes and a running systemd allows: from an
 * unpacked release, with the commands and variables of the files.
 */

const proofs: Record<string, (context: Context) => Promise<Line[]>> = {
  'systemd units': verifyUnits,
  'systemd commands': startUnits,
  compose: startCompose,
  image: buildImage,
}

export const packages: Part = async (options) => {
  const { only = '' } = options
  const folder = await mkdtemp(join(tmpdir(), 'sought-packages-'))
  try {
    const { unpacked } = await unpackRelease(folder)
    const lines: Line[] = []
    for (const [name, prove] of Object.entries(proofs))
      if (name.includes(only)) lines.push(...(await prove({ ...options, release: unpacked, folder })))
    return lines
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
