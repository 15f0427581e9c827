import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { root } from './child.ts'

/* The files for Compose and Kubernetes are valid by the schemas of both, and name no field that does not exist. */

const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')

test('compose.yaml is valid', () => {
  const file = join(root, 'node_modules/dclint/schemas/compose.schema.json')
  const { $schema, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  validate(parse(read('compose.yaml'), { merge: true }))
  expect(validate.errors).toBeNull()
  validate({ services: { web: { image: 'sought', comand: ['web'] } } })
  expect(validate.errors).toMatchObject([{ params: { additionalProperty: 'comand' } }])
})

interface Manifest {
  apiVersion: string
  kind: string
}

interface Validate {
  (manifest: unknown): boolean
  errors: { instancePath: string; message?: string }[] | null
}

/** As in IoK8sApiNetworkingV1Ingress for networking.k8s.io/v1. */
async function schemaOf({ apiVersion, kind }: Manifest): Promise<Validate> {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  const name = ['IoK8sApi', capital(group.split('.')[0] ?? ''), capital(version), kind].join('')
  return (await import(`kubernetes-models/_schemas/${name}`)).validate
}

/** The problems of a manifest. Schemas allow unknown fields, which are those that a validation never reads. */
async function check(manifest: Manifest): Promise<string[]> {
  const validate = await schemaOf(manifest)
  const watched: [object, path: string, read: Set<string>][] = []
  const watch = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = new Set<string>()
    const children = new Map<string, unknown>()
    watched.push([value, path, known])
    return new Proxy(value, {
      get(target, name, receiver) {
        const found = Reflect.get(target, name, receiver)
        if (typeof name !== 'string' || !Object.hasOwn(target, name)) return found
        known.add(name)
        if (!children.has(name)) children.set(name, watch(found, `${path}/${name}`))
        return children.get(name)
      },
    })
  }
  validate(watch(manifest, ''))
  const unknown = watched.flatMap(([value, path, known]) =>
    Object.keys(value)
      .filter((name) => !known.has(name))
      .map((name) => `${path}/${name} is unknown`),
  )
  return [
    ...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
    ...unknown,
  ]
}

test('the Kubernetes manifests are valid', async () => {
  const { resources }: { resources: string[] } = parse(read('kubernetes/kustomization.yaml'))
  const manifests = resources.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document): Manifest => document.toJS()),
  )
  expect(manifests.length).toBeGreaterThan(10)
  for (const manifest of manifests) expect(await check(manifest), manifest.kind).toEqual([])
})

test('unknown fields and wrong types are found', async () => {
  const spec = {
    selector: { matchLabels: { app: 'a' } },
    replicas: 'two',
    template: { spec: { containers: [] } },
  }
  const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { nam: 'a' }, spec }
  expect(await check(manifest)).toEqual([
    expect.stringMatching(/^\/spec\/replicas /),
    '/metadata/nam is unknown',
  ])
})
