import { findOrphans, ownsStorage, removeOrphans } from '../platform/orphaned-files.ts'
import type { Services } from '../platform/services.ts'

/** Removes files that no row names. `npm run files:check` shows them without removing any. */
export async function removeOrphanedFiles(
  { database, fileStorage, clock, log }: Services,
  signal?: AbortSignal,
): Promise<void> {
  if (!(await ownsStorage(database, fileStorage))) {
    log.error('the stored files belong to another database: no orphaned files are removed')
    return
  }
  const { orphans } = await findOrphans(database, fileStorage, clock(), signal)
  const removed = await removeOrphans(database, fileStorage, orphans, signal)
  if (removed > 0) log.info({ removed }, 'removed orphaned files')
}
