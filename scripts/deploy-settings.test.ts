import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { listSettings } from '../server/src/core/config.ts'
import { root } from './child.ts'
import { serverEnv, serverFlags } from './installed.mjs'

/* The files of deploy/ name variables, files and roles of the product, which can change independently. */

const read = (file: string) => readFileSync(join(root, file), 'utf8')

const documented = new Set(listSettings().flatMap(({ settings }) => settings.map(({ name }) => name)))

/** Read by the system, or by the unit itself. */
const FOREIGN = new Set(['PATH', 'HOME', 'BACKUP_TARGET', ...Object.keys(serverEnv)])

const undocumented = (names: string[]) => names.filter((name) => !documented.has(name) && !FOREIGN.has(name))

/** The names in a file of NAME=value lines. */
const namesIn = (file: string) =>
  [...read(file).matchAll(/^([A-Z][A-Z\d_]*)=/gm)].map(([, name = '']) => name)

interface Service {
  image: string
  entrypoint?: string[]
  command?: string[]
  read_only?: boolean
  cap_drop?: string[]
  healthcheck?: { test?: string[] }
  environment: Record<string, string>
}

test('compose.yaml runs two web processes, a worker and backups, without privileges', () => {
  const text = read('deploy/compose.yaml')
  const { services }: { services: Record<string, Service> } = parse(text, { merge: true })
  const ours = Object.entries(services).filter(([, { image }]) => image === 'sought')
  expect(ours.map(([name, { command }]) => [name, command])).toEqual([
    ['web-1', ['web']],
    ['web-2', ['web']],
    ['worker', ['worker']],
    ['backup', ['/backups', '--keep', '14', '--every', '24']],
  ])
  for (const [, service] of ours) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    const file = service.entrypoint?.[1] ?? service.healthcheck?.test?.[2]
    expect(existsSync(join(root, file ?? 'none'))).toBe(true)
    expect(undocumented(Object.keys(service.environment))).toEqual([])
  }
  expect(services.caddy?.environment.UPSTREAMS).toBe('web-1:3000 web-2:3000')
  const { METRICS_HOST, METRICS_TOKEN } = services.worker?.environment ?? {}
  expect({ METRICS_HOST, METRICS_TOKEN }).toEqual({
    METRICS_HOST: '0.0.0.0',
    METRICS_TOKEN: expect.stringContaining(':?'),
  })
  for (const name of ['web-1', 'web-2', 'worker'])
    expect(read('deploy/prometheus/prometheus.yml')).toContain(`"${name}:9464"`)

  const settings = new Set([...text.matchAll(/\$\{([A-Z\d_]+)/g)].map(([, name = '']) => name))
  expect(namesIn('deploy/.env.example').toSorted()).toEqual([...settings].toSorted())
  expect(undocumented([...settings])).toEqual(['SITE_ADDRESS', 'POSTGRES_PASSWORD'])
})

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec?: Partial<Template> & { jobTemplate?: { spec: Template } }
}

interface Template {
  template: { spec: { securityContext: object; containers: Container[] } }
}

interface Container {
  ports?: { name: string; containerPort: number }[]
}

interface Kustomization {
  resources: string[]
  configMapGenerator: { literals: string[] }[]
}

test('the Kubernetes manifests run both roles and backups, without write access and not as root', () => {
  const { resources, configMapGenerator }: Kustomization = parse(read('deploy/kubernetes/kustomization.yaml'))
  const manifests = resources.flatMap((file): Manifest[] =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS()
    }),
  )
  expect(manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Namespace sought',
    'Deployment web',
    'Service web',
    'PodDisruptionBudget web',
    'Deployment worker',
    'Ingress web',
    'CronJob backup',
    'HorizontalPodAutoscaler web',
    'NetworkPolicy outgoing',
    'NetworkPolicy web',
    'NetworkPolicy metrics',
  ])
  const pods = manifests.flatMap(({ spec }) => (spec?.jobTemplate?.spec ?? spec)?.template?.spec ?? [])
  expect(pods).toMatchObject(
    [['web'], ['worker'], ['s3://sought-backups/production', '--keep', '14']].map((args) => ({
      securityContext: { runAsNonRoot: true },
      containers: [{ args, securityContext: { readOnlyRootFilesystem: true } }],
    })),
  )
  // Prometheus reads these ports, which the pods serve because of METRICS_HOST.
  const metricsPorts = pods.slice(0, 2).map(({ containers: [container] }) => container?.ports?.at(-1))
  expect(metricsPorts).toEqual(['web', 'worker'].map(() => ({ name: 'metrics', containerPort: 9464 })))
  expect(configMapGenerator[0]?.literals).toContain('METRICS_HOST=0.0.0.0')
  const literals = configMapGenerator
    .flatMap((it) => it.literals)
    .map((literal) => literal.split('=')[0] ?? '')
  expect(undocumented([...literals, ...namesIn('deploy/kubernetes/secrets.env.example')])).toEqual([])
})

test.each([
  ['sought-web@.service', 'web'],
  ['sought-worker.service', 'worker'],
])('%s runs the role %s', (file, role) => {
  const unit = read(`deploy/systemd/${file}`)
  const environment = unit.match(/^Environment=(.*)$/m)?.[1]?.split(' ') ?? []
  expect(undocumented(environment.map((pair) => pair.split('=')[0] ?? ''))).toEqual([])
  const flags = serverFlags.join(' ')
  expect(unit).toContain(
    `\nExecStart=/opt/sought/node_modules/node/bin/node ${flags} server/src/main.ts ${role}\n`,
  )
  expect(unit).toContain('node deploy/health-check.mjs /readyz')
  expect(undocumented(namesIn('deploy/systemd/sought.env.example'))).toEqual([])
})

test('the backup of systemd runs every night', () => {
  const unit = read('deploy/systemd/sought-backup.service')
  const start = `server/src/commands/backup.ts \${BACKUP_TARGET} --keep 14`
  expect(unit).toContain(`\nExecStart=/opt/sought/node_modules/node/bin/node ${start}\n`)
  expect(namesIn('deploy/systemd/sought.env.example')).toContain('BACKUP_TARGET')
  expect(read('deploy/systemd/sought-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d$/m)
})

test('the Dockerfile copies the files that an install and the server need', () => {
  const lines = read('deploy/Dockerfile').replaceAll('\\\n', '').split('\n')
  const copied = lines
    .filter((line) => line.startsWith('COPY') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  for (const file of copied) expect(existsSync(join(root, file)), file).toBe(true)
  const { workspaces }: { workspaces: string[] } = JSON.parse(read('package.json'))
  expect(copied).toEqual(expect.arrayContaining([...workspaces.map((it) => `${it}/package.json`), '.']))
  const names = lines.filter((line) => line.startsWith('ENV')).flatMap((line) => line.match(/[A-Z_]+(?==)/g))
  expect(names).toEqual(expect.arrayContaining(['METRICS_PORT', ...Object.keys(serverEnv)]))
  expect(undocumented(names.map(String))).toEqual([])
  for (const file of ['server/src/main.ts', 'deploy/health-check.mjs']) {
    expect(lines.some((line) => line.includes(`"${file}"`))).toBe(true)
    expect(existsSync(join(root, file))).toBe(true)
  }
  expect(lines).toContain(
    `ENTRYPOINT ${JSON.stringify(['node', ...serverFlags, 'server/src/main.ts']).replaceAll(',', ', ')}`,
  )
})
