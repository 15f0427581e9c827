import { copyFiles } from '../files/copy-files.ts'
import { openBucket, openFolder } from '../providers/files/open-storage.ts'
import { withStorage } from './with-storage.ts'

/** npm run files:copy -- folder s3 | s3 folder: copies all files between DATA_DIR and S3, and compares them. */
const direction = process.argv.slice(2).join(' ')

if (direction !== 'folder s3' && direction !== 's3 folder') {
  console.error('Usage: npm run files:copy -- folder s3 | s3 folder')
  process.exit(2)
}

const PROGRESS_FILES = 1000

const exitCode = await withStorage(async ({ s3, dataDir }) => {
  if (!s3) {
    console.error('S3_BUCKET is not set: either direction needs the settings of S3')
    return 2
  }
  const [folder, bucket] = [openFolder(dataDir), await openBucket(s3)]
  await bucket.check()
  const [from, to] = direction === 'folder s3' ? [folder, bucket] : [bucket, folder]
  const { copied, same, bytes, problems } = await copyFiles(from, to, (report) => {
    const done = report.copied + report.same
    if (done > 0 && done % PROGRESS_FILES === 0) console.log(`${done} files ...`)
  })
  for (const problem of problems) console.error(problem)
  const megabytes = (bytes / 1e6).toFixed(1)
  console.log(
    `${copied} files copied, ${same} were there already, ${megabytes} MB compared, ${problems.length} problems`,
  )
  return problems.length === 0 ? 0 : 1
})
process.exit(exitCode)
