import type { BackupTarget } from './backup-target.ts'
import { listBackups, readFileList, readManifest } from './manifest.ts'

/**
 * Deletes all but the newest backups, and files that only those contained. Returns the number of deleted backups.
 */
export async function deleteOldBackups(target: BackupTarget, keep: number): Promise<number> {
  const { backups, files } = target.storages
  const names = await listBackups(target)
  const old = names.slice(0, -keep)
  for (const name of old) {
    const { database, files: lists } = await readManifest(target, name)
    // The manifest first: a backup without it counts as incomplete.
    await backups.remove(`${name}.manifest`)
    for (const part of [...database, ...lists]) await backups.remove(part.name)
  }
  if (old.length > 0) {
    const kept = new Set<string>()
    for (const name of names.slice(-keep))
      for await (const file of readFileList(target, await readManifest(target, name))) kept.add(file.name)
    for await (const { name } of files.list()) if (!kept.has(name)) await files.remove(name)
  }
  return old.length
}
