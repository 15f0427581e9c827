/* Builds multipart bodies without escaping, so that tests can also send malformed ones. */

const BOUNDARY = 'edge'

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

export interface Part {
  head: string
  bytes: Buffer
}

export const filePart = (field: string, name: string, bytes: Buffer, type = 'image/png'): Part => ({
  head: `content-disposition: form-data; name="${field}"; filename="${name}"\r\ncontent-type: ${type}`,
  bytes,
})

export const fieldPart = (field: string, value: string | Buffer, more = ''): Part => ({
  head: `content-disposition: form-data; name="${field}"${more}`,
  bytes: Buffer.from(value),
})

export function multipart(parts: readonly Part[]): Buffer {
  const written = parts.map(({ head, bytes }) =>
    Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), bytes, Buffer.from('\r\n')]),
  )
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

export interface UploadOptions {
  name?: string
  type?: string
  fields?: Record<string, string>
}

/** The body of an upload with one file, and its headers. */
export const uploadOf = (
  field: string,
  bytes: Uint8Array,
  { name = 'x.png', type, fields = {} }: UploadOptions = {},
) => ({
  headers: { 'content-type': MULTIPART },
  payload: multipart([
    ...Object.entries(fields).map(([key, value]) => fieldPart(key, value)),
    filePart(field, name, Buffer.from(bytes), type),
  ]),
})
