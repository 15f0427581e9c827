import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './child.ts'
import { createSbom } from './sbom.ts'

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

const locked = {
  server: { dependencies: { '@sought/escrow': '1', '@scope/image': '1' } },
  escrow: { dependencies: { text: '1' } },
  web: { dependencies: { screen: '1' }, devDependencies: { bundler: '1' } },
  'node_modules/@sought/escrow': { link: true, resolved: 'escrow' },
  'node_modules/@scope/image': {
    version: '1.0.0',
    license: 'MIT OR Apache-2.0',
    integrity: 'sha512-AQI=',
    dependencies: { text: '1' },
    optionalDependencies: { 'image-darwin': '1' },
  },
  'node_modules/image-darwin': { version: '1.0.0' },
  'node_modules/text': { version: '2.0.0', license: 'ISC' },
  'node_modules/screen': { version: '3.0.0', license: 'MIT' },
  'node_modules/bundler': { version: '4.0.0' },
  'node_modules/node': { version: '24.0.0', license: 'MIT' },
}

test('the list of parts names what is in the archive, what is bundled, and Node', () => {
  const packed = (folder: string) => !folder.includes('darwin')
  const timestamp = new Date('2026-11-19T00:00:00Z')
  const part = (name: string, version: string, license: string) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ expression: license }],
  })
  expect(createSbom(locked, { version: '1.2.3', packed, timestamp })).toEqual({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: '2026-11-19T00:00:00.000Z',
      component: {
        'bom-ref': 'sought@1.2.3',
        type: 'application',
        name: 'sought',
        version: '1.2.3',
        licenses: [{ expression: 'MIT' }],
      },
    },
    components: [
      {
        ...part('@scope/image', '1.0.0', 'MIT OR Apache-2.0'),
        purl: 'pkg:npm/%40scope/image@1.0.0',
        hashes: [{ alg: 'SHA-512', content: '0102' }],
      },
      part('text', '2.0.0', 'ISC'),
      part('screen', '3.0.0', 'MIT'),
      part('node', '24.0.0', 'MIT'),
    ],
    dependencies: [
      {
        ref: 'sought@1.2.3',
        dependsOn: ['@scope/image@1.0.0', 'screen@3.0.0', 'text@2.0.0', 'node@24.0.0'],
      },
      { ref: '@scope/image@1.0.0', dependsOn: ['text@2.0.0'] },
      { ref: 'text@2.0.0', dependsOn: [] },
      { ref: 'screen@3.0.0', dependsOn: [] },
      { ref: 'node@24.0.0', dependsOn: [] },
    ],
  })
})

test('every package of a release has a version, a checksum and a license', () => {
  const { components } = createSbom(packages, { version: '1', packed: () => true, timestamp: new Date() })
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'sharp', 'node']))
  expect(names).not.toContain('vitest')
  for (const component of components)
    expect(component).toMatchObject({
      version: expect.stringMatching(/^\d/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }],
      licenses: [{ expression: expect.any(String) }],
    })
  expect(new Set(components.map((it) => it['bom-ref'])).size).toBe(components.length)
})

test('packages with native code exist for amd64 and arm64', () => {
  const { components } = createSbom(packages, { version: '1', packed: () => true, timestamp: new Date() })
  const names = new Set(components.map(({ name }) => name))
  const forAmd64 = [...names].filter((name) => /linux-x64(-gnu)?$/.test(name))
  expect(forAmd64).not.toEqual([])
  expect(forAmd64.filter((name) => !names.has(name.replace('linux-x64', 'linux-arm64')))).toEqual([])
})
