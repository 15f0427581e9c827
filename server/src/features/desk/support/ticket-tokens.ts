import type { Keys } from '../../../core/keys.ts'
import { createSignedId, readSignedId } from '../../../core/signed-tokens.ts'

/* The link to a support conversation in the emails to visitors. It works as long as the ticket exists (ADR 54). */

const CONTEXT = 'sought/ticket/v1'

export function createTicketToken(ticketId: number, sessionKeys: Keys): string {
  return createSignedId(ticketId, CONTEXT, sessionKeys)
}

/** The id of the ticket; null if the signature does not match. */
export function readTicketToken(token: string, sessionKeys: Keys): number | null {
  return readSignedId(token, CONTEXT, sessionKeys)
}
