import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readStoredGazetteer } from './stored-gazetteer.ts'

test('the gazetteer is parsed once, and parsed again if the stored one is out of date', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sought-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let reads = 0
  const read = async () => Buffer.from(`read ${++reads} times`)
  const load = async () => (await readStoredGazetteer(folder, read)).toString()
  expect(await Promise.all([load(), load()])).toEqual(['read 1 times', 'read 1 times'])
  expect(await load()).toBe('read 1 times')

  await writeFile(join(folder, 'gazetteer'), 'out of date')
  expect(await load()).toBe('read 2 times')
})

test('a stored gazetteer is read without a lock, because a read-only folder cannot have one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sought-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await readStoredGazetteer(folder, async () => Buffer.from('stored'))
  await rm(join(folder, 'gazetteer.lock'))
  await mkdir(join(folder, 'gazetteer.lock'))
  const stored = await readStoredGazetteer(folder, async () => Buffer.from('read again'))
  expect(stored.toString()).toBe('stored')
})

test('without a folder to store it in, the gazetteer is parsed each time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sought-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'file'), '')
  let reads = 0
  const read = async () => Buffer.from(`read ${++reads} times`)
  const load = async () => (await readStoredGazetteer(join(folder, 'file', 'cache'), read)).toString()
  expect([await load(), await load()]).toEqual(['read 1 times', 'read 2 times'])
})
