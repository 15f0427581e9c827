import { invalidRequest } from './api-error.ts'

export interface Upload {
  filename: string
  content: Buffer
}

export interface Multipart {
  /** All fields except the file, as a query string. */
  fields: string
  upload: Upload | null
}

/** Parses `multipart/form-data` with at most one file, named `file`. */
export async function parseMultipart(body: Buffer, contentType: string): Promise<Multipart> {
  const form = await readForm(body, contentType)
  const fields = new URLSearchParams()
  let upload: Upload | null = null
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value)
    else if (name !== 'file' || upload) throw invalidRequest(`Received unknown parameter: ${name}`)
    // PostgreSQL cannot store U+0000.
    else
      upload = { filename: value.name.replaceAll('\0', ''), content: Buffer.from(await value.arrayBuffer()) }
  }
  return { fields: fields.toString(), upload }
}

async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw invalidRequest('The multipart body could not be parsed.')
  }
}
