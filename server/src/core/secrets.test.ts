import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from './config.ts'
import { readSecrets } from './secrets.ts'

async function read(config: Partial<Config>) {
  const { sessionKeys, dataKeys } = await readSecrets(config as Config)
  return { sessionKeys: sessionKeys.all, dataKeys: dataKeys.all }
}

test('missing secrets are generated once, also if two processes start at once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const [one, ...others] = await Promise.all(Array.from({ length: 10 }, () => read({ dataDir })))
  expect(others).toEqual(Array(9).fill(one))
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
  expect(await read({ dataDir, dataKeys: ['configured'] })).toEqual({ ...one, dataKeys: ['configured'] })
})
