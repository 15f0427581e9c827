import { systemClock } from '../core/clock.ts'
import { findMissingFiles, findOrphans, removeOrphans } from '../files/orphaned-files.ts'
import { claimStorage } from '../files/storage-owner.ts'
import { openStorage } from '../providers/files/open-storage.ts'
import { withDatabase } from './with-database.ts'
import { withStorage } from './with-storage.ts'

/**
 * npm run files:check: compares the stored files with the database. With -- --remove it also removes files without
 * a row. Exit code 1 if files are missing.
 */
const options = process.argv.slice(2)
const removes = options.includes('--remove')

if (options.some((option) => option !== '--remove')) {
  console.error('Usage: npm run files:check [-- --remove]')
  process.exit(2)
}

const exitCode = await withStorage(async (config) => {
  const storage = await openStorage(config)
  await storage.check()
  return withDatabase(async (database) => {
    if (removes) await claimStorage(database, storage)
    const { count, orphans } = await findOrphans(database, storage, systemClock())
    for (const { name, sizeBytes } of orphans) console.log(`No row refers to ${name} (${sizeBytes} bytes)`)
    const problems = await findMissingFiles(database, storage)
    for (const problem of problems) console.error(problem)
    console.log(`${count} files, ${orphans.length} without a row, ${problems.length} missing or damaged`)
    if (removes) console.log(`${await removeOrphans(database, storage, orphans)} removed`)
    return problems.length === 0 ? 0 : 1
  })
})
process.exit(exitCode)
