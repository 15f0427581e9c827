import { createSignedId, readSignedId } from '../../../core/signed-ids.ts'

/* The link to a support conversation in the emails to visitors. It works as long as the ticket exists (ADR 54). */

const CONTEXT = 'sought/ticket/v1'

export function createTicketToken(ticketId: number, sessionSecret: string): string {
  return createSignedId(ticketId, CONTEXT, sessionSecret)
}

/** The id of the ticket; null if the signature does not match. */
export function readTicketToken(token: string, sessionSecret: string): number | null {
  return readSignedId(token, CONTEXT, sessionSecret)
}
