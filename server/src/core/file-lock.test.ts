import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withFileLock } from './file-lock.ts'

test('waiting for a lock ends after the timeout, and the lock is free once the work has ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'lock')
  const lock = () => withFileLock(path, async () => 'locked', { timeoutSeconds: 0.1 })
  await withFileLock(path, () => expect(lock()).rejects.toThrow('for more than 0.1 seconds'))
  expect(await lock()).toBe('locked')
})
