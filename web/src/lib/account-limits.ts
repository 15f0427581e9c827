import { CallError } from './client.ts'

/** The server's words to a user who is suspended or restricted. Null if the call failed for another reason. */
export function explainLimit(error: unknown): string | null {
  const isLimit = error instanceof CallError && (error.code === 'suspended' || error.code === 'restricted')
  return isLimit ? error.userMessage : null
}
