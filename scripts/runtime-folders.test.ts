import { expect, test } from 'vitest'
import { findRuntimeFolders } from './runtime-folders.ts'

const locked = {
  server: { dependencies: { '@sought/escrow': '1', web: '1', image: '1' }, devDependencies: { tester: '1' } },
  escrow: {},
  'node_modules/@sought/escrow': { link: true, resolved: 'escrow' },
  'node_modules/web': {
    dependencies: { parser: '2' },
    peerDependencies: { image: '1', compiler: '1' },
    peerDependenciesMeta: { compiler: { optional: true } },
  },
  'node_modules/web/node_modules/parser': { dependencies: { text: '1' } },
  'node_modules/parser': {},
  'node_modules/text': {},
  'node_modules/image': { optionalDependencies: { 'image-linux': '1', 'image-darwin': '1' } },
  'node_modules/image-linux': {},
  'node_modules/compiler': {},
  'node_modules/tester': {},
}

test('a release contains everything for the runtime, and nothing that only tests or builds need', () => {
  expect(findRuntimeFolders(locked, 'server')).toEqual([
    'escrow',
    'node_modules/@sought/escrow',
    'node_modules/image',
    'node_modules/image-linux',
    'node_modules/text',
    'node_modules/web',
    'node_modules/web/node_modules/parser',
    'server',
  ])
})

test('the release fails if a required package is missing in the lock file', () => {
  const incomplete = { server: { dependencies: { 'left-out': '1' } } }
  expect(() => findRuntimeFolders(incomplete, 'server')).toThrow('server needs left-out')
})
