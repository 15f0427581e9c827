import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@sought/server/core/free-port'
import { root, run } from '../../scripts/child.ts'
import { serverFlags } from '../../scripts/installed.mjs'
import { ensureProgram } from '../support/debian-packages.ts'
import type { Line } from '../support/part.ts'
import { withEmptyDatabase } from '../support/temporary-database.ts'
import type { Context } from './context.ts'
import { startService } from './start-service.ts'

const SUITE = 'trixie'
const MIRROR = 'http://deb.debian.org/debian'
const READY_SECONDS = '180'

/**
 * Builds the last stage of the Dockerfile on a base of Debian's packages, as the image that it names is, and with this
 * release in place of the first stage, which needs an image with Node. Then the image serves and makes a backup.
 */
export async function buildImage({ postgresUrl, release, folder }: Context): Promise<Line[]> {
  const buildah = await ensureProgram('buildah')
  const debootstrap = await ensureProgram('debootstrap')
  const [base, build] = [join(folder, 'base'), join(folder, 'build')]
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  /** The last line of the output. */
  const buildahRun = async (...args: string[]) => {
    const { ok, output } = await run(buildah, [...store, ...args])
    if (!ok) throw new Error(`buildah ${args.join(' ')}:\n${output.slice(-5_000)}`)
    return output.split('\n').at(-1) ?? ''
  }
  const made = await run(debootstrap, ['--variant=minbase', SUITE, base, MIRROR])
  if (!made.ok) throw new Error(made.output.slice(-5_000))
  const scratch = await buildahRun('from', 'scratch')
  await buildahRun('add', '--quiet', scratch, base, '/')
  await buildahRun('commit', '--quiet', '--rm', scratch, 'localhost/base')
  await cp(release, join(build, 'app'), { recursive: true, verbatimSymlinks: true })
  await mkdir(join(build, 'data'))
  await buildahRun(
    ...['bud', '--isolation', 'chroot', '--pull-never', '--build-context', `build=${build}`],
    ...['--build-arg', 'BASE_IMAGE=localhost/base', '--tag', 'localhost/sought'],
    ...['--file', join(root, 'deploy/Dockerfile'), build],
  )
  const container = await buildahRun('from', '--pull-never', 'localhost/sought')
  const violations = await withEmptyDatabase(postgresUrl, async (databaseUrl) => {
    const [port, metricsPort] = [await freePort(), await freePort()]
    const settings = {
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: 'the session secret of the image',
      DATA_KEY: 'the data key of the image',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'warn',
    }
    const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const runIn = (...command: string[]) => [
      ...[buildah, ...store, 'run', '--isolation', 'chroot', ...env, container, '--', ...command],
    ]
    const path = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
    const found: string[] = []
    const server = startService(
      'server',
      runIn('node', ...serverFlags, 'server/src/main.ts', 'web'),
      path,
      folder,
    )
    const expectSuccess = async (...command: string[]) => {
      const ended = startService(command.join(' '), runIn(...command), path, folder)
      if ((await ended.ended) !== 0) found.push(`${ended.name}:\n${ended.output()}\n${server.output()}`)
      return ended.output().trim()
    }
    try {
      await expectSuccess('node', 'deploy/health-check.mjs', '/readyz', READY_SECONDS)
      await expectSuccess('node', 'server/src/commands/backup.ts', '/backups')
      if ((await expectSuccess('id', '-u')) !== '10001') found.push('the image runs as another user')
    } finally {
      await server.stop()
    }
    return found
  })
  const what = 'commands in the image of the Dockerfile, on a base made by debootstrap'
  return [{ what, times: 4, violations }]
}
