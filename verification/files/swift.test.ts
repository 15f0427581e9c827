import type { S3Settings } from '@sought/server/core/s3-settings'
import { createBucket } from '@sought/server/testing/create-bucket'
import { testBucket } from '@sought/server/testing/storage-contract'
import { afterAll, beforeAll } from 'vitest'
import { startSwift } from './swift.ts'

/** Installing the packages may take this long. */
const INSTALL_MS = 600_000

let swift: { settings: S3Settings; stop(): Promise<void> } | undefined

beforeAll(async () => {
  swift = await startSwift()
  await createBucket(swift.settings)
}, INSTALL_MS)
afterAll(() => swift?.stop())

const REFUSED_KEYS =
  'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: S3 does not accept these keys for the bucket sought-files'

testBucket(() => {
  if (!swift) throw new Error('Swift runs only while tests do')
  return swift.settings
}, [
  [{ bucket: 'other-files' }, 'S3_BUCKET: there is no bucket other-files'],
  [{ accessKeyId: 'sought:nobody' }, REFUSED_KEYS],
  [{ secretAccessKey: 'another' }, REFUSED_KEYS],
  [{ region: 'eu-central-1' }, 'S3_REGION: the bucket sought-files is not in eu-central-1'],
])
