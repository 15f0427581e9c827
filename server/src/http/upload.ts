import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type {} from '@fastify/multipart'
import type { Upload } from '@sought/contract/call'
import type { FastifyRequest } from 'fastify'
import { Refused, refuse } from '../core/errors.ts'

export interface UploadedFile {
  bytes: Buffer
  /** The sender's file name. For display only, never used as a path. */
  name: string
}

const FIELD_MAX_BYTES = 20_000
const FIELDS_MAX = 10

/** After the body has ended, parsing takes almost no time. A parser that still waits would wait forever. */
const STALLED_AFTER_MS = 1_000

interface Parts {
  file?: UploadedFile
  fields: Record<string, string>
}

/**
 * Reads a multipart body: one file and any text fields, in any order. The file is buffered in memory, so that an
 * interrupted upload leaves nothing behind.
 */
export async function readUpload(
  upload: Upload,
  request: FastifyRequest,
): Promise<{ file?: UploadedFile; fields: unknown }> {
  if (upload.optional && !request.isMultipart()) return { fields: request.body ?? {} }
  const done = new AbortController()
  try {
    const parts = await Promise.race([readParts(upload, request), failWhenStalled(request.raw, done.signal)])
    if (!parts.file && !upload.optional) {
      throw refuse('invalid', { issues: [{ path: upload.field, message: 'Required' }] })
    }
    return parts
  } catch (error) {
    throw isRequestError(error) ? error : refuse('malformed')
  } finally {
    done.abort()
  }
}

async function readParts({ field, maxBytes }: Upload, request: FastifyRequest): Promise<Parts> {
  const limits = { fileSize: maxBytes, files: 1, fields: FIELDS_MAX, fieldSize: FIELD_MAX_BYTES }
  const parts: Parts = { fields: {} }
  // Keeps the full name as sent, so that names that are paths can be detected.
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'field') parts.fields[part.fieldname] = textOf(part.value)
    else {
      const bytes = await part.toBuffer()
      if (part.fieldname === field) parts.file = { bytes, name: part.filename }
    }
  }
  return parts
}

/** The parser never finishes a part with an incomplete header, so the request would hang. */
async function failWhenStalled(body: Readable, signal: AbortSignal): Promise<never> {
  await once(body, 'end', { signal })
  await wait(STALLED_AFTER_MS, undefined, { signal })
  throw refuse('malformed')
}

/** A field declared as JSON has already been parsed, so its value is not a string. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') throw refuse('wrong_type')
  return value
}

/** An exceeded limit has a status code. Any other parser error means a malformed body. */
const isRequestError = (error: unknown) =>
  error instanceof Refused || (error instanceof Error && 'statusCode' in error)
