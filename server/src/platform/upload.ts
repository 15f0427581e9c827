import type {} from '@fastify/multipart'
import type { Upload } from '@sought/contract/call'
import type { FastifyRequest } from 'fastify'
import { refuse } from './errors.ts'

export interface UploadedFile {
  bytes: Buffer
  /** What the sender called it: words to show, never a path to use. */
  name: string
}

const FIELD_MAX_BYTES = 20_000
const FIELDS_MAX = 10

/**
 * Reads a multipart body: one file under its field, and text fields, in any order. It is held in
 * memory until it is whole, so that one that breaks off half-way leaves nothing behind.
 */
export async function readUpload(
  { field, maxBytes }: Upload,
  request: FastifyRequest,
): Promise<{ file: UploadedFile; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw refuse('wrong_type')
  const limits = { fileSize: maxBytes, files: 1, fields: FIELDS_MAX, fieldSize: FIELD_MAX_BYTES }
  let file: UploadedFile | undefined
  const fields: Record<string, string> = {}
  // The whole name as it was sent, so that one which is a path can be seen to be one.
  for await (const part of request.parts({ limits, preservePath: true })) {
    if (part.type === 'field') fields[part.fieldname] = String(part.value)
    else {
      const bytes = await part.toBuffer()
      if (part.fieldname === field) file = { bytes, name: part.filename }
    }
  }
  if (!file) throw refuse('invalid', { issues: [{ path: field, message: 'Required' }] })
  return { file, fields }
}
