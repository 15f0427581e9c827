import { CallError } from './client.ts'

const LIMITS: CallError['code'][] = ['suspended', 'restricted', 'blocked', 'read_only', 'maintenance']

/**
 * Returns the server's message if a call failed because the user is suspended, restricted or blocked, or because the
 * market is closed. Null if the call failed for another reason.
 */
export function explainLimit(error: unknown): string | null {
  return error instanceof CallError && LIMITS.includes(error.code) ? error.userMessage : null
}
