import { findOrphans, removeOrphans } from '../files/orphaned-files.ts'
import { claimStorage } from '../files/storage-owner.ts'
import type { Services } from '../services.ts'

/** Removes files that no row refers to. `npm run files:check` lists them without removing any. */
export async function removeOrphanedFiles(
  { database, fileStorage, clock, log }: Services,
  signal?: AbortSignal,
): Promise<void> {
  await claimStorage(database, fileStorage)
  const { orphans } = await findOrphans(database, fileStorage, clock(), signal)
  const removed = await removeOrphans(database, fileStorage, orphans, signal)
  if (removed > 0) log.info({ removed }, 'removed orphaned files')
}
