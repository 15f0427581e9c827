import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Settings } from '../../core/s3-settings.ts'
import { type FileStorage, type ListedFile, StorageRefused, StorageUnavailable } from './file-storage.ts'

const CONNECT_MS = 2_000
/** How long S3 may take to start its reply. */
const REPLY_MS = 10_000
/** How long a connection may be silent. Slow readers pause for less. */
const SILENCE_MS = 60_000
const ATTEMPTS = 2
/** So many files may be opened at once. More would only wait, and keep others from being served (ADR 104). */
const OPENING_MAX = 100
/** S3 accepts no smaller parts of an object, except for the last. */
const PART_BYTES = 5 * 1024 * 1024
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
  let opening = 0
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

  async function writeBytes(name: string, bytes: Uint8Array): Promise<void> {
    const put = new PutObjectCommand({ ...keyOf(name), Body: bytes, ContentLength: bytes.length })
    await client.send(put).catch(throwUnavailable)
  }

  /** S3 must know the length of what is sent, so chunks are sent in parts. The object appears when it is complete. */
  async function writeChunks(name: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const target = keyOf(name)
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target)).catch(throwUnavailable)
    const upload = { ...target, UploadId }
    try {
      const Parts: CompletedPart[] = []
      for await (const Body of partsOf(chunks)) {
        const PartNumber = Parts.length + 1
        const part = new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: Body.length })
        const { ETag } = await client.send(part).catch(throwUnavailable)
        Parts.push({ PartNumber, ETag })
      }
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
      await client.send(complete).catch(throwUnavailable)
    } catch (error) {
      // If this fails too, the bucket's rule for unfinished uploads removes the parts.
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  return {
    write: (name, content) =>
      content instanceof Uint8Array ? writeBytes(name, content) : writeChunks(name, content),
    async open(name) {
      if (opening >= OPENING_MAX) throw new StorageUnavailable(new Error('too many requests wait for S3'))
      opening++
      const found = await client
        .send(new GetObjectCommand(keyOf(name)))
        .catch(nullIfMissing)
        .finally(() => opening--)
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

/** Joins chunks to parts of at least the smallest size that S3 accepts. The last may be smaller, and there is always one. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let collected: Uint8Array[] = []
  let sizeBytes = 0
  let isFirst = true
  for await (const chunk of chunks) {
    collected.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes < PART_BYTES) continue
    yield Buffer.concat(collected)
    collected = []
    sizeBytes = 0
    isFirst = false
  }
  if (isFirst || sizeBytes > 0) yield Buffer.concat(collected)
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
