import { systemClock } from '../platform/clock.ts'
import { readConfig } from '../platform/config.ts'
import { findMissingFiles, findOrphans, ownsStorage, removeOrphans } from '../platform/orphaned-files.ts'
import { openStorage } from '../providers/files/open-storage.ts'
import { withDatabase } from './with-database.ts'

/**
 * npm run files:check: compares the stored files with the database. With -- --remove it also removes the files that no
 * row names. Exit code 1 if files are missing.
 */
const options = process.argv.slice(2)

if (options.some((option) => option !== '--remove')) {
  console.error('Usage: npm run files:check [-- --remove]')
  process.exit(2)
}

const missing = await withDatabase(async (database) => {
  const storage = await openStorage(readConfig())
  const { count, orphans } = await findOrphans(database, storage, systemClock())
  for (const { name, sizeBytes } of orphans) console.log(`No row names ${name} (${sizeBytes} bytes)`)
  const lost = await findMissingFiles(database, storage)
  for (const line of lost) console.error(line)
  console.log(`${count} files, ${orphans.length} that no row names, ${lost.length} missing or damaged`)
  if (options.includes('--remove')) {
    if (!(await ownsStorage(database, storage)))
      throw new Error('These files belong to another database. Nothing was removed.')
    console.log(`${await removeOrphans(database, storage, orphans)} removed`)
  }
  return lost.length
})
process.exit(missing === 0 ? 0 : 1)
