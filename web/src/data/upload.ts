import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { CallError, getUrl } from './client.ts'
import { identityDialog } from './identity-dialog.ts'

interface UploadOptions {
  /** Text fields to send with the file. */
  fields?: Record<string, string>
  /** Called with the fraction sent so far, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal
}

type FileFor<C extends Call> = C['upload'] extends { optional: true } ? File | null : File

/**
 * Makes a call that takes a file, or only its fields if the file is optional. Uses XMLHttpRequest, because fetch does
 * not report the progress of uploads. Errors are CallErrors, with status 0 if the connection dropped.
 */
export async function upload<C extends Call & { upload: object }>(
  call: C,
  input: InputOf<C>,
  file: FileFor<C>,
  options: UploadOptions = {},
): Promise<ReplyOf<C>> {
  try {
    return await sendOnce(call, input, file, options)
  } catch (error) {
    // As in `send`, the call is repeated after the user has confirmed their identity.
    const mustConfirm = error instanceof CallError && error.code === 'confirm_identity'
    if (mustConfirm && (await identityDialog.ask())) return upload(call, input, file, options)
    throw error
  }
}

function sendOnce<C extends Call & { upload: object }>(
  call: C,
  input: InputOf<C>,
  file: FileFor<C>,
  { fields = {}, onProgress, signal }: UploadOptions,
): Promise<ReplyOf<C>> {
  const request = new XMLHttpRequest()
  request.open(call.method, getUrl(call, input))
  request.withCredentials = true
  if (!file) request.setRequestHeader('content-type', 'application/json')
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new CallError(0, reason, ''))
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded / total)
    request.onload = () => {
      const { status, statusText, responseText } = request
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText))
      else reject(new CallError(status, statusText, responseText))
    }
    request.onerror = () => fail('No connection')
    request.onabort = () => fail('Aborted')
    signal?.addEventListener('abort', () => request.abort())
    request.send(file ? buildForm(call.upload.field, file, fields) : JSON.stringify(fields))
  })
}

function buildForm(field: string, file: File, fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.append(name, text)
  form.append(field, file)
  return form
}
