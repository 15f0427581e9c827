import { CallError } from './client.ts'

const LIMITS: CallError['code'][] = ['suspended', 'restricted', 'blocked']

/** The server's words to a user who is suspended, restricted or blocked. Null if the call failed for another reason. */
export function explainLimit(error: unknown): string | null {
  return error instanceof CallError && LIMITS.includes(error.code) ? error.userMessage : null
}
