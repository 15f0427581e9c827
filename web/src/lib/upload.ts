import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { CallError, urlOf } from './client.ts'

interface UploadOptions {
  /** The text fields beside the file. */
  fields?: Record<string, string>
  /** Told how much has left, from 0 to 1. */
  onProgress?: (sent: number) => void
  signal?: AbortSignal
}

/**
 * Makes a call that takes a file. XMLHttpRequest, since fetch does not tell how much of a body has left. What is not OK
 * becomes a CallError, and so does a connection that drops, with status 0.
 */
export function upload<C extends Call & { upload: object }>(
  call: C,
  input: InputOf<C>,
  file: File,
  { fields = {}, onProgress, signal }: UploadOptions = {},
): Promise<ReplyOf<C>> {
  const body = new FormData()
  for (const [name, text] of Object.entries(fields)) body.append(name, text)
  body.append(call.upload.field, file)
  const request = new XMLHttpRequest()
  request.open(call.method, urlOf(call, input))
  request.withCredentials = true
  return new Promise((resolve, reject) => {
    const drop = (words: string) => reject(new CallError(0, words, ''))
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded / total)
    request.onload = () => {
      const { status, statusText, responseText } = request
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText))
      else reject(new CallError(status, statusText, responseText))
    }
    request.onerror = () => drop('the connection dropped')
    request.onabort = () => drop('aborted')
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}
