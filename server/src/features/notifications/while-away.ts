const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** An open page reports its presence every 15 seconds. */
export const PRESENT_MS = 45_000
/** How long to wait before checking again whether a present recipient has read the message. */
export const RECHECK_MS = MINUTE_MS

interface ReaderState {
  now: Date
  /** When the email was queued. */
  queuedAt: Date
  /** Whether the conversation has unread messages. */
  unread: boolean
  /** When the recipient last had a page open. */
  seenAt: Date | null
  /** When the recipient last got an email about this conversation. */
  emailedAt: Date | null
}

/**
 * Decides whether to email somebody about a message: not after they have read it, not while they have a page
 * open, and at most once an hour per conversation. A date means to check again at that time.
 */
export function whenToSend(state: ReaderState): 'now' | 'never' | Date {
  const { now, queuedAt, unread, seenAt, emailedAt } = state
  if (!unread) return 'never'
  const age = (date: Date | null) => (date ? now.getTime() - date.getTime() : Number.POSITIVE_INFINITY)
  if (age(seenAt) < PRESENT_MS) {
    // After an hour with a page open, they have seen the notification and chosen not to read the message.
    return age(queuedAt) < HOUR_MS ? new Date(now.getTime() + RECHECK_MS) : 'never'
  }
  if (emailedAt && age(emailedAt) < HOUR_MS) return new Date(emailedAt.getTime() + HOUR_MS)
  return 'now'
}
