import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createFolderStorage } from '../../providers/files/folder-storage.ts'
import { openDatabase } from '../../testing/world.ts'
import { openTarget, readParts, writeParts } from './backup-target.ts'
import { deleteOldBackups } from './delete-old-backups.ts'
import {
  findLastBackup,
  listBackups,
  nameAt,
  readFileList,
  readManifest,
  writeFileList,
  writeManifest,
} from './manifest.ts'
import { findProgram } from './postgres-tools.ts'
import { BackupRefused } from './refused.ts'
import { repeatBackups } from './repeat-backups.ts'
import { restoreBackup } from './restore-backup.ts'

/* `npm run proof -- backup` makes and restores real dumps, with PostgreSQL's own programs. */

const PASSPHRASE = 'correct horse battery staple'

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sought-backup-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const storagesIn = (folder: string) => ({
  backups: createFolderStorage(join(folder, 'backups')),
  files: createFolderStorage(join(folder, 'files')),
})

const open = (folder: string, passphrase?: string, create = true) =>
  openTarget(storagesIn(folder), passphrase, { create })

type Target = Awaited<ReturnType<typeof open>>

/** Adds a backup without a dump. */
async function addBackup(target: Target, name: string, fileNames: string[], migration = 1): Promise<void> {
  const files = []
  for (const file of fileNames) files.push(await target.write('files', file, Buffer.from(file)))
  await writeManifest(target, name, {
    version: '1.0.0',
    createdAt: '2026-11-17T00:00:00Z',
    installation: 'ours',
    migration,
    postgres: '',
    database: await writeParts(target, `${name}.database`, chunks('a dump')),
    files: await writeFileList(target, name, files),
    fileCount: files.length,
    fileBytes: 0,
  })
}

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

test('a long stream is stored in parts and read in their order', async () => {
  const target = await open(await createFolder(), PASSPHRASE)
  const parts = await writeParts(target, 'x', chunks('ab', 'cd', 'ef', 'g'), 4)
  expect(parts.map(({ name, sizeBytes }) => `${name} ${sizeBytes}`)).toEqual(['x.0000 4', 'x.0001 3'])
  expect(await text(readParts(target, parts))).toBe('abcdefg')
})

test('an encrypted backup contains no plain text, and needs its passphrase', async () => {
  const folder = await createFolder()
  await addBackup(await open(folder, PASSPHRASE), 'one', ['picture'])
  for (const file of ['files/picture', 'backups/one.manifest', 'backups/one.database.0000'])
    expect(await readFile(join(folder, file), 'latin1')).not.toMatch(/picture|installation|a dump/)
  await expect(open(folder)).rejects.toThrow('These backups are encrypted. Set BACKUP_PASSPHRASE.')
  const wrong = await open(folder, 'another passphrase')
  await expect(readManifest(wrong, 'one')).rejects.toThrow('BACKUP_PASSPHRASE is wrong')
  expect((await readManifest(await open(folder, PASSPHRASE), 'one')).installation).toBe('ours')
})

test.each([undefined, PASSPHRASE])(
  'changed, swapped and missing objects are refused (passphrase: %s)',
  async (passphrase) => {
    const folder = await createFolder()
    const target = await open(folder, passphrase)
    await addBackup(target, 'one', ['first', 'other'])
    const read = async () => {
      for await (const file of readFileList(target, await readManifest(target, 'one')))
        await target.read('files', file)
    }
    await read()
    const path = (name: string) => join(folder, 'files', name)
    const first = await readFile(path('first'))
    await writeFile(path('first'), first.with(first.length - 1, 0) as Uint8Array)
    await expect(read()).rejects.toThrow(/first (is damaged|cannot be decrypted)/)
    // An object of the same length, encrypted with the same key.
    await rename(path('other'), path('first'))
    await expect(read()).rejects.toThrow(/first (is damaged|cannot be decrypted)/)
    await writeFile(path('first'), first)
    await expect(read()).rejects.toThrow('files/other is missing')
  },
)

test('a target has only encrypted or only unencrypted backups', async () => {
  const folder = await createFolder()
  await expect(open(folder, undefined, false)).rejects.toThrow('There is no backup.')
  await open(folder)
  await expect(open(folder, PASSPHRASE)).rejects.toThrow('these backups are not encrypted')
})

test('old backups are deleted together with files that no other backup has', async () => {
  const target = await open(await createFolder())
  const names = ['01', '02', '03'].map((day) => nameAt(new Date(`2026-11-${day}T10:20:30.400Z`)))
  expect(names[0]).toBe('2026-11-01T10-20-30Z')
  await addBackup(target, names[0] ?? '', ['a', 'b'])
  await addBackup(target, names[1] ?? '', ['b', 'c'])
  await addBackup(target, names[2] ?? '', ['c', 'd'])
  expect(await deleteOldBackups(target, 2)).toBe(1)
  expect(await listBackups(target)).toEqual(names.slice(1))
  const left: string[] = []
  for await (const { name } of target.storages.files.list()) left.push(name)
  expect(left.toSorted()).toEqual(['b', 'c', 'd'])
  expect(await deleteOldBackups(target, 2)).toBe(0)
})

test('a backup is restored only into an empty database, and only by a release that knows its schema', async () => {
  const folder = await createFolder()
  const target = await open(folder)
  const source = { files: storagesIn(folder).files, path: '' }
  const full = { ...source, databaseUrl: await openDatabase() }
  await expect(restoreBackup(full, target)).rejects.toThrow('There is no complete backup.')
  await addBackup(target, 'one', [])
  await expect(restoreBackup(full, target)).rejects.toThrow('The database is not empty.')
  await expect(restoreBackup(full, target, 'two')).rejects.toThrow('There is no backup two. There are: one')
  await addBackup(target, 'two', [], 99_999_999_999_999)
  await expect(restoreBackup(full, target)).rejects.toThrow('Release 1.0.0 made this backup.')
})

test('a missing program is reported with the package to install', async () => {
  await expect(findProgram('pg_dump', 99, '')).rejects.toThrow('apt-get install postgresql-client-99')
})

test('repeated backups are made when the last one is old enough, and again soon after an error', async () => {
  const folder = await createFolder()
  const target = await open(folder)
  await addBackup(target, nameAt(new Date('2026-11-17T00:00:00Z')), [])
  let now = Date.parse('2026-11-17T20:00:00Z')
  const lines: string[] = []
  const waited: number[] = []
  let attempts = 0
  const repeating = repeatBackups({
    everyHours: 24,
    findLast: () => findLastBackup(target),
    async backUp() {
      if (++attempts === 2) throw new BackupRefused('No space.')
      await addBackup(target, nameAt(new Date(now)), [])
      return [`attempt ${attempts}`]
    },
    now: () => new Date(now),
    async wait(ms) {
      waited.push(ms / 60_000)
      if (waited.length === 5) throw new Error('stop')
      now += ms
    },
    print: (line) => lines.push(line),
  })
  await expect(repeating).rejects.toThrow('stop')
  expect(waited).toEqual([4 * 60, 0, 24 * 60, 10, 0])
  expect(lines).toEqual(['attempt 1', 'The backup failed: No space.', 'attempt 3'])
})
