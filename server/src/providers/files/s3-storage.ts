import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { type FileStorage, type ListedFile, StorageRefused, StorageUnavailable } from './file-storage.ts'
import type { S3Settings } from './s3-settings.ts'

const CONNECT_MS = 2_000
/** How long S3 may take to start its reply. */
const REPLY_MS = 10_000
/** How long a connection may be silent. Slow readers pause for less. */
const SILENCE_MS = 60_000
const ATTEMPTS = 2
/** Every reader needs a connection. With a limit, slow readers would block uploads. */
const AGENT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }

/** The bucket may have other contents, such as backups. */
const FOLDER = 'files/'

export function createS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: S3Settings,
  replyMs = REPLY_MS,
): S3Client {
  return new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Few other servers have one host name per bucket.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    // Asking before each upload costs more than the few refused uploads.
    expectContinueHeader: false,
    // The signature already covers the content, and not all servers support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: replyMs,
      throwOnRequestTimeout: true,
      socketTimeout: SILENCE_MS,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    },
  })
}

export function createS3Storage(
  settings: S3Settings,
  {
    pageSize = 1000,
    replyMs,
    folder = FOLDER,
  }: { pageSize?: number; replyMs?: number; folder?: string } = {},
): FileStorage {
  const client = createS3Client(settings, replyMs)
  const Bucket = settings.bucket
  const keyOf = (name: string) => ({ Bucket, Key: folder + name })

  async function* list(): AsyncIterable<ListedFile> {
    const pages = paginateListObjectsV2({ client, pageSize }, { Bucket, Prefix: folder })
    try {
      for await (const { Contents = [] } of pages) {
        for (const { Key = '', Size, LastModified } of Contents) {
          if (Size === undefined || !LastModified) continue
          yield { name: Key.slice(folder.length), sizeBytes: Size, modifiedAt: LastModified }
        }
      }
    } catch (error) {
      throw new StorageUnavailable(error)
    }
  }

  return {
    async write(name, bytes) {
      const put = new PutObjectCommand({ ...keyOf(name), Body: bytes, ContentLength: bytes.length })
      await client.send(put).catch(throwUnavailable)
    },
    async open(name) {
      const found = await client.send(new GetObjectCommand(keyOf(name))).catch(nullIfMissing)
      if (!found) return null
      const { Body: stream, ContentLength: sizeBytes } = found
      if (stream instanceof Readable && sizeBytes !== undefined) return { stream, sizeBytes }
      throw new StorageUnavailable(new Error('S3 answered without content'))
    },
    has: async (name) =>
      (await client.send(new HeadObjectCommand(keyOf(name))).catch(nullIfMissing)) !== null,
    async remove(name) {
      await client.send(new DeleteObjectCommand(keyOf(name))).catch(throwUnavailable)
    },
    list,
    async check() {
      await client.send(new HeadBucketCommand({ Bucket })).catch((error) => {
        throw refusalOf(error, settings)
      })
    },
  }
}

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

function throwUnavailable(error: unknown): never {
  throw new StorageUnavailable(error)
}

function nullIfMissing(error: unknown): null {
  if (statusOf(error) === 404) return null
  throw new StorageUnavailable(error)
}

function refusalOf(error: unknown, { bucket, region }: S3Settings): Error {
  switch (statusOf(error)) {
    case 404:
      return new StorageRefused(`S3_BUCKET: there is no bucket ${bucket}`)
    case 401:
    case 403:
      return new StorageRefused(
        `S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: S3 does not accept these keys for the bucket ${bucket}`,
      )
    case 301:
    case 400:
      return new StorageRefused(`S3_REGION: the bucket ${bucket} is not in ${region}`)
    default:
      return new StorageUnavailable(error)
  }
}
