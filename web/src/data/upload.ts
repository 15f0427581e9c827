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
export function upload<C extends Call & { upload: object }>(
  call: C,
  input: InputOf<C>,
  file: FileFor<C>,
  options: UploadOptions = {},
): Promise<ReplyOf<C>> {
  return file
    ? inTurn(() => sendConfirmed(call, input, file, options))
    : sendConfirmed(call, input, file, options)
}

/** The server decodes two pictures of an account at a time, and refuses the fifth (ADR 22). */
const UPLOADS_MAX = 2
let running = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
  while (running >= UPLOADS_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await send()
  } finally {
    running--
    waiting.shift()?.()
  }
}

async function sendConfirmed<C extends Call & { upload: object }>(
  call: C,
  input: InputOf<C>,
  file: FileFor<C>,
  options: UploadOptions,
): Promise<ReplyOf<C>> {
  try {
    return await sendOnce(call, input, file, options)
  } catch (error) {
    // As in `send`, the call is repeated after the user has confirmed their identity.
    const mustConfirm = error instanceof CallError && error.code === 'confirm_identity'
    if (mustConfirm && (await identityDialog.ask())) return sendConfirmed(call, input, file, options)
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
    // An upload that waited for its turn may have been cancelled.
    if (signal?.aborted) return fail('Aborted')
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
