const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A page that is open says so every 15 seconds. */
const PRESENT_MS = 45_000

interface Situation {
  now: Date
  /** When the mail was asked for. */
  askedAt: Date
  /** Whether anything in the conversation is still unread. */
  unread: boolean
  /** When its receiver was last seen with a page open. */
  seenAt: Date | null
  /** When they were last mailed about the same conversation. */
  mailedAt: Date | null
}

/**
 * Whether somebody is mailed about a message. Not if they have read it, not while they have a page open, and
 * once an hour for each conversation at most. Where it is too early to say, the moment to look again.
 */
export function whenToMail({ now, askedAt, unread, seenAt, mailedAt }: Situation): 'now' | 'never' | Date {
  if (!unread) return 'never'
  const since = (moment: Date | null) =>
    moment ? now.getTime() - moment.getTime() : Number.POSITIVE_INFINITY
  if (since(seenAt) < PRESENT_MS) {
    // Whoever has had a page open for an hour knows, and does not want to look.
    return since(askedAt) < HOUR_MS ? new Date(now.getTime() + MINUTE_MS) : 'never'
  }
  if (mailedAt && since(mailedAt) < HOUR_MS) return new Date(mailedAt.getTime() + HOUR_MS)
  return 'now'
}
