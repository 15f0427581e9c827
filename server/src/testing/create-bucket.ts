import { CreateBucketCommand } from '@aws-sdk/client-s3'
import type { S3Settings } from '../core/s3-settings.ts'
import { createS3Client } from '../providers/files/s3-storage.ts'

export async function createBucket(settings: S3Settings): Promise<void> {
  await createS3Client(settings).send(new CreateBucketCommand({ Bucket: settings.bucket }))
}
