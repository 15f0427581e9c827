import { join } from 'node:path'
import type { S3Settings } from '../../core/s3-settings.ts'
import type { FileStorage } from './file-storage.ts'
import { createFolderStorage } from './folder-storage.ts'

interface Options {
  dataDir: string
  s3: S3Settings | undefined
}

/** The storage of this deployment: the bucket if one is configured, otherwise a folder. */
export const openStorage = async ({ dataDir, s3 }: Options): Promise<FileStorage> =>
  s3 ? openBucket(s3) : openFolder(dataDir)

export const openFolder = (dataDir: string): FileStorage => createFolderStorage(join(dataDir, 'files'))

/** Loads the client only where it is used, since it takes some memory. */
export async function openBucket(s3: S3Settings, folder?: string): Promise<FileStorage> {
  const { createS3Storage } = await import('./s3-storage.ts')
  return createS3Storage(s3, folder ? { folder } : {})
}
