import { existsSync } from 'node:fs'
import { run } from '../../scripts/child.ts'

/** Installs packages of Debian that only a proof needs. `programs` are the paths of what they bring. */
export async function installPackages(packages: string[], programs: string[]): Promise<void> {
  if (programs.every((program) => existsSync(program))) return
  const install = `timeout 300 apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const { output } = await run(
    '/bin/sh',
    ['-c', `${install} || (timeout 300 apt-get update && ${install})`],
    {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    },
  )
  const missing = programs.filter((program) => !existsSync(program))
  if (missing.length > 0)
    throw new Error(`This proof cannot run here: ${missing.join(', ')} could not be installed.\n${output}`)
}
