import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from './config.ts'
import { readSecrets } from './secrets.ts'

const read = (config: Partial<Config>) => readSecrets(config as Config)

test('missing secrets are generated once, also if two processes start at once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const [one, ...others] = await Promise.all(Array.from({ length: 10 }, () => read({ dataDir })))
  expect(others).toEqual(Array(9).fill(one))
  expect(await readdir(dataDir)).toEqual(['secrets.json'])
  expect(await read({ dataDir, dataKey: 'configured' })).toEqual({ ...one, dataKey: 'configured' })
})
