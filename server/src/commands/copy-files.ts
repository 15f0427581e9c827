import { readConfig } from '../platform/config.ts'
import { copyFiles, FilesOfAnother } from '../platform/copy-files.ts'
import { StorageRefused, StorageUnavailable } from '../providers/files/file-storage.ts'
import { openBucket, openFolder } from '../providers/files/open-storage.ts'

/** npm run files:copy -- folder s3 | s3 folder: copies all files between DATA_DIR and S3, and compares them. */
const direction = process.argv.slice(2).join(' ')

if (direction !== 'folder s3' && direction !== 's3 folder') {
  console.error('Usage: npm run files:copy -- folder s3 | s3 folder')
  process.exit(2)
}

const { s3, dataDir } = readConfig()
if (!s3) {
  console.error('S3_BUCKET is not set: the settings of S3 are needed for either direction')
  process.exit(2)
}

const PROGRESS_FILES = 1000

try {
  const [folder, bucket] = [openFolder(dataDir), await openBucket(s3)]
  await bucket.check()
  const [from, to] = direction === 'folder s3' ? [folder, bucket] : [bucket, folder]
  const { copied, same, bytes, problems } = await copyFiles(from, to, (report) => {
    const done = report.copied + report.same
    if (done > 0 && done % PROGRESS_FILES === 0) console.log(`${done} files ...`)
  })
  for (const problem of problems) console.error(problem)
  console.log(
    `${copied} files copied, ${same} were there already, ${(bytes / 1e6).toFixed(1)} MB compared, ${problems.length} problems`,
  )
  process.exit(problems.length === 0 ? 0 : 1)
} catch (error) {
  if (error instanceof StorageUnavailable) {
    console.error(`S3 is unavailable (${String(error.cause)}). Run the command again to continue.`)
  } else if (error instanceof StorageRefused || error instanceof FilesOfAnother) console.error(error.message)
  else throw error
  process.exit(1)
}
