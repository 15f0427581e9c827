import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type {} from '@fastify/multipart'
import type { Upload } from '@sought/contract/call'
import type { FastifyRequest } from 'fastify'
import { Refused, refuse } from './errors.ts'

export interface UploadedFile {
  bytes: Buffer
  /** What the sender called it: words to show, never a path to use. */
  name: string
}

const FIELD_MAX_BYTES = 20_000
const FIELDS_MAX = 10

/** Once the body is whole its parts are there in no time: a reader that still waits for one then waits for ever. */
const LOST_AFTER_MS = 1_000

interface Parts {
  file?: UploadedFile
  fields: Record<string, string>
}

/**
 * Reads a multipart body: one file under its field, and text fields, in any order. It is held in
 * memory until it is whole, so that one that breaks off half-way leaves nothing behind.
 */
export async function readUpload(upload: Upload, request: FastifyRequest) {
  if (!request.isMultipart()) throw refuse('wrong_type')
  const done = new AbortController()
  try {
    const { file, fields } = await Promise.race([
      readParts(upload, request),
      untilLost(request.raw, done.signal),
    ])
    if (!file) throw refuse('invalid', { issues: [{ path: upload.field, message: 'Required' }] })
    return { file, fields }
  } catch (error) {
    throw isAboutRequest(error) ? error : refuse('malformed')
  } finally {
    done.abort()
  }
}

async function readParts({ field, maxBytes }: Upload, request: FastifyRequest): Promise<Parts> {
  const limits = { fileSize: maxBytes, files: 1, fields: FIELDS_MAX, fieldSize: FIELD_MAX_BYTES }
  const parts: Parts = { fields: {} }
  // The whole name as it was sent, so that one which is a path can be seen to be one.
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'field') parts.fields[part.fieldname] = textOf(part.value)
    else {
      const bytes = await part.toBuffer()
      if (part.fieldname === field) parts.file = { bytes, name: part.filename }
    }
  }
  return parts
}

/** The parser never says that a part has ended whose head did not, and would keep the request for ever. */
async function untilLost(body: Readable, signal: AbortSignal): Promise<never> {
  await once(body, 'end', { signal })
  await wait(LOST_AFTER_MS, undefined, { signal })
  throw refuse('malformed')
}

/** A field that calls itself JSON has been read as such by now, and is no text any more. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') throw refuse('wrong_type')
  return value
}

/** A limit that was passed says so. The rest is a body in which the reader got lost, and the reader does not say whose fault that is. */
const isAboutRequest = (error: unknown) =>
  error instanceof Refused || (error instanceof Error && 'statusCode' in error)
