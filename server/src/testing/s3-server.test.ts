import { globSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../core/config.ts'
import { openStorage } from '../providers/files/open-storage.ts'
import { startS3Server } from './s3-server.ts'
import { listAll } from './storage-contract.ts'

test('an object that was being written during a kill is gone, and the others are listed', {
  tags: ['proof'],
}, async () => {
  const server = await startS3Server()
  onTestFinished(() => server.close())
  const storage = await openStorage(readConfig(server.env))
  await storage.write('whole.webp', Buffer.from('x'))
  await storage.write('unfinished.webp', Buffer.from('x'))
  // s3rver truncates the metadata before it writes it.
  const [metadata = ''] = globSync('**/unfinished.webp._S3rver_metadata.json', { cwd: server.directory })
  await truncate(join(server.directory, metadata))
  await server.kill()
  await server.start()
  expect((await listAll(storage)).map(({ name }) => name)).toEqual(['whole.webp'])
  expect(await storage.has('unfinished.webp')).toBe(false)
})
