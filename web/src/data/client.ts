import { type Call, fillPath, type InputOf, type ReplyOf } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import type { RefusalCode } from '@sought/contract/refusals'
import { consentDialog } from './consent-dialog.ts'
import { identityDialog } from './identity-dialog.ts'

export interface FieldIssue {
  path: string
  message: string
}

/** A call that failed. Its message is the status, a colon and the body. The status is 0 if there was no reply. */
export class CallError extends Error {
  readonly status: number
  /** The refusal code, or null if the reply is not from our server. */
  readonly code: RefusalCode | null
  /** The server's message for the user, if any. */
  readonly userMessage: string | null
  readonly issues: readonly FieldIssue[]
  /** The id under which the server logged the request. */
  readonly requestId: string | null

  constructor(status: number, statusText: string, body: string, requestId: string | null = null) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    const refusal = parseRefusal(body)
    this.code = refusal?.code ?? null
    this.userMessage = refusal?.message ?? null
    this.issues = refusal?.issues ?? []
    this.requestId = requestId
  }
}

interface Refusal {
  code: RefusalCode
  message: string
  issues?: FieldIssue[]
}

function parseRefusal(body: string): Refusal | null {
  try {
    const parsed = JSON.parse(body)
    return typeof parsed?.code === 'string' ? parsed : null
  } catch {
    return null
  }
}

interface LooseInput {
  params?: Record<string, unknown>
  query?: Record<string, string | number | boolean | undefined>
  body?: unknown
}

/** The URL of a call, with its params and query filled in. */
export function getUrl<C extends Call>(call: C, input: InputOf<C>): string {
  const { params, query } = input as LooseInput
  return fillPath(call.path, params) + buildQueryString(query ?? {})
}

/** Makes a call, with the session cookie. Every failure is a CallError, including a dropped connection. */
export async function send<C extends Call>(
  call: C,
  input: InputOf<C>,
  signal?: AbortSignal,
): Promise<ReplyOf<C>> {
  const { body } = input as LooseInput
  const response = await fetch(getUrl(call, input), {
    method: call.method,
    credentials: 'include',
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
    ...(signal && { signal }),
  }).catch(() => {
    throw new CallError(0, 'No connection', '')
  })
  if (response.ok) return response.json()
  const error = new CallError(
    response.status,
    response.statusText,
    await response.text(),
    response.headers.get('x-request-id'),
  )
  // The user confirms their identity or accepts the terms in a dialog. Then the call is repeated.
  if (await askFor(error.code)) return send(call, input, signal)
  throw error
}

async function askFor(code: CallError['code']): Promise<boolean> {
  if (code === 'confirm_identity') return identityDialog.ask()
  return code === 'policy_not_accepted' && consentDialog.ask()
}
