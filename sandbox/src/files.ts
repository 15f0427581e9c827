import type Stripe from 'stripe'
import * as z from 'zod'
import { firstRow, type Tx } from './database.ts'
import { invalidRequest, notFound } from './http/api-error.ts'
import { page } from './http/params.ts'
import { type Call, route } from './http/route.ts'
import { newId } from './ids.ts'
import { listObjects } from './lists.ts'
import { getObject, insertObject, toUnixSeconds } from './objects.ts'

/** Stripe's limit for evidence. */
const MAX_EVIDENCE_BYTES = 5 * 1024 * 1024
/** Evidence is kept for nine months. */
const EVIDENCE_DAYS = 270

const Purpose = z.literal(
  'dispute_evidence',
  'The sandbox takes files with the purpose dispute_evidence only',
)

const CreateParams = z.strictObject({ purpose: Purpose })

async function createFile({ tx, upload, publicUrl }: Call): Promise<Stripe.File> {
  if (!upload) {
    throw invalidRequest('Missing required param: file.', { code: 'parameter_missing', param: 'file' })
  }
  const { content, filename } = upload
  if (content.length > MAX_EVIDENCE_BYTES) {
    throw invalidRequest('The file is too large. Dispute evidence has at most 5 MB.', { param: 'file' })
  }
  const type = detectType(content)
  if (!type) {
    throw invalidRequest('Dispute evidence has to be a PDF, JPEG or PNG file.', { param: 'file' })
  }
  const id = newId('file')
  const created = toUnixSeconds(tx.now)
  const body: Stripe.File = {
    id,
    object: 'file',
    created,
    expires_at: created + EVIDENCE_DAYS * 86_400,
    filename,
    links: { object: 'list', data: [], has_more: false, url: `/v1/file_links?file=${id}` },
    purpose: 'dispute_evidence',
    size: content.length,
    title: null,
    type,
    url: `${publicUrl}/v1/files/${id}/contents`,
  }
  await insertObject(tx, 'file', { body, hidden: {} })
  await tx.query('insert into sandbox.file_contents (file_id, content) values ($1, $2)', [id, content])
  return body
}

const SIGNATURES: [type: string, start: Buffer][] = [
  ['pdf', Buffer.from('%PDF-')],
  ['jpg', Buffer.from([0xff, 0xd8, 0xff])],
  ['png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
]

/** The type by content, because names and headers can be wrong. */
function detectType(content: Buffer): string | undefined {
  return SIGNATURES.find(([, start]) => content.subarray(0, start.length).equals(start))?.[0]
}

async function retrieveFile({ tx, id }: Call): Promise<Stripe.File> {
  return (await getObject(tx, 'file', id)).body
}

const ListParams = z.strictObject({ ...page, purpose: Purpose.optional() })

const listFiles = ({ tx, params: { purpose, ...page } }: Call<z.output<typeof ListParams>>) =>
  listObjects(tx, 'file', '/v1/files', page, { purpose })

const CONTENT_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
}

/** The content of a file, for download. */
export async function readContents(tx: Tx, id: string): Promise<{ type: string; content: Buffer }> {
  const { body } = await getObject(tx, 'file', id)
  const row = firstRow(
    await tx.query<{ content: Buffer }>('select content from sandbox.file_contents where file_id = $1', [id]),
  )
  if (!row) throw notFound('file', id)
  return { type: CONTENT_TYPES[body.type ?? ''] ?? 'application/octet-stream', content: row.content }
}

export const fileRoutes = [
  route('POST', '/v1/files', CreateParams, createFile, { upload: true }),
  route('GET', '/v1/files', ListParams, listFiles),
  route('GET', '/v1/files/:id', z.strictObject({}), retrieveFile),
]
