import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@sought/server/core/free-port'
import { root, run } from '../../scripts/child.ts'
import { ensureProgram } from '../support/debian-packages.ts'
import type { Line } from '../support/part.ts'
import { withEmptyDatabase } from '../support/temporary-database.ts'
import type { Context } from './context.ts'
import { findForeignProcess, type StartedService, startService } from './start-service.ts'

const FOLDER = join(root, 'deploy/systemd')
const readUnit = (file: string) => readFile(join(FOLDER, file), 'utf8')

/** systemd's own tool reads the units, as they would be on a machine with the release in /opt/sought. */
export async function verifyUnits({ release, folder }: Context): Promise<Line[]> {
  const analyze = await ensureProgram('systemd-analyze', 'systemd')
  const units = (await readdir(FOLDER)).filter((file) => /\.(service|timer)$/.test(file))
  const copies = join(folder, 'units')
  await mkdir(copies)
  const violations: string[] = []
  const files: string[] = []
  for (const unit of units) {
    const file = join(copies, unit.replace('@.', '@3001.'))
    await writeFile(file, (await readUnit(unit)).replaceAll('/opt/sought', release))
    files.push(file)
  }
  const { output } = await run(analyze, ['verify', '--man=no', ...files])
  if (output) violations.push(output)
  return [{ what: 'systemd units, verified by systemd-analyze', times: units.length, violations }]
}

interface Unit {
  start: string[]
  /** Commands that must succeed before the unit has started. */
  startPost: string[][]
  env: Record<string, string>
}

/** The commands of a unit, with the paths of this machine. */
async function readCommands(
  file: string,
  paths: [from: string, to: string][],
  settings: Record<string, string>,
): Promise<Unit> {
  const text = paths.reduce((changed, [from, to]) => changed.replaceAll(from, to), await readUnit(file))
  const valuesOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value = '']) => value)
  const own = valuesOf('Environment').flatMap((line) => line.split(' '))
  const env = { ...Object.fromEntries(own.map((pair) => pair.split('='))), ...settings }
  const commandOf = (line: string) =>
    line.split(' ').map((word) => word.replace(/^\$\{(\w+)\}$/, (_, name) => env[name]))
  const [start = []] = valuesOf('ExecStart').map(commandOf)
  return { start, startPost: valuesOf('ExecStartPost').map(commandOf), env }
}

/** The settings of sought.env.example, filled in. */
async function readExample(values: Record<string, string>): Promise<Record<string, string>> {
  const lines = (await readFile(join(FOLDER, 'sought.env.example'), 'utf8')).matchAll(/^([A-Z_\d]+)=(.*)$/gm)
  const example = Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
  return Object.fromEntries(Object.entries({ ...example, ...values }).filter(([, value]) => value !== ''))
}

/** Runs what the units run: two web processes, a worker and a backup. */
export function startUnits({ postgresUrl, release, folder }: Context): Promise<Line[]> {
  return withEmptyDatabase(postgresUrl, async (databaseUrl) => {
    const data = join(folder, 'systemd')
    await mkdir(join(data, 'backups'), { recursive: true })
    const settings = await readExample({
      DATABASE_URL: databaseUrl,
      SESSION_SECRET: 'the session secret of systemd',
      DATA_KEY: 'the data key of the units',
      BACKUP_PASSPHRASE: 'the passphrase of backups',
      BACKUP_TARGET: join(data, 'backups'),
      LOG_LEVEL: 'warn',
      // systemd sets it.
      PATH: '/usr/local/bin:/usr/bin:/bin',
    })
    const violations: string[] = []
    const started: StartedService[] = []
    /** METRICS_PORT is 1 and the port in the unit, which is too large for some free ports. */
    const start = async (file: string, name: string) => {
      const [port, metricsPort] = [await freePort(), await freePort()]
      const paths: [string, string][] = [
        ['/opt/sought', release],
        ['/var/lib/sought', data],
        ['METRICS_PORT=1%i', `METRICS_PORT=${metricsPort}`],
        ['METRICS_PORT=13000', `METRICS_PORT=${metricsPort}`],
        ['%i', String(port)],
      ]
      const unit = await readCommands(file, paths, settings)
      const service = startService(name, unit.start, unit.env, release)
      started.push(service)
      for (const command of unit.startPost) {
        const [program = '', ...args] = command
        const { ok } = await run(program, args, { cwd: release, env: unit.env })
        if (!ok) violations.push(`${name}: ${command.join(' ')} failed:\n${service.output()}`)
      }
      violations.push(...(await findForeignProcess(service, unit.start)))
    }
    try {
      await start('sought-web@.service', 'first web process')
      await start('sought-web@.service', 'second web process')
      await start('sought-worker.service', 'worker')
      const unit = await readCommands('sought-backup.service', [['/opt/sought', release]], settings)
      const backup = startService('backup', unit.start, { ...unit.env, DATA_DIR: data }, release)
      if ((await backup.ended) !== 0) violations.push(`the backup failed:\n${backup.output()}`)
    } finally {
      for (const service of started) {
        const code = await service.stop()
        if (code !== 0) violations.push(`the ${service.name} ended with ${code}:\n${service.output()}`)
      }
    }
    const what = 'commands of systemd units, each started from the release and stopped'
    return [{ what, times: started.length + 1, violations }]
  })
}
