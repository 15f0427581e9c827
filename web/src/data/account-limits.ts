import { CallError } from './client.ts'

const LIMITS: CallError['code'][] = ['suspended', 'restricted', 'blocked', 'read_only', 'maintenance']

/**
 * The server's words to a user who is suspended, restricted or blocked, or while the market is closed. Null if the call
 * failed for another reason.
 */
export function explainLimit(error: unknown): string | null {
  return error instanceof CallError && LIMITS.includes(error.code) ? error.userMessage : null
}
