import type { Tx } from '../../database/database.ts'
import type { EmailContext, NotificationDefinition } from './define-notification.ts'
import type { DescribedNotification, Notifications } from './describe-notifications.ts'
import { type Email, findRelatedEmails } from './email-queries.ts'
import type { EmailContent } from './email-template.ts'
import { findNotification } from './queries.ts'

/*
 * Emails about one deal to one person are sent together, at most once in ten minutes, except those about money.
 * Alerts to one person are sent together once an hour. The first one is sent at once.
 */

const MINUTE_MS = 60_000
const DEAL_MS = 10 * MINUTE_MS
const ALERTS_MS = 60 * MINUTE_MS
/** An email lists this many. The page lists all. */
const ENTRIES_MAX = 20

interface Bundle {
  everyMs: number
  /** What the emails have in common. */
  common: { paymentId: number } | { kind: string }
}

type Subject = Pick<DescribedNotification, 'definition' | 'notification'>

/** Null if the email is sent on its own. */
function bundleOf({ definition, notification: { paymentId, kind } }: Subject): Bundle | null {
  if (definition.isHourly) return { everyMs: ALERTS_MS, common: { kind } }
  return paymentId !== null && isCollected(definition) ? { everyMs: DEAL_MS, common: { paymentId } } : null
}

const isCollected = ({ isAboutMoney, isHourly, isUnread }: NotificationDefinition) =>
  !isAboutMoney && !isHourly && !isUnread

export interface Bundled {
  content: EmailContent
  /** The emails that this one replaces, with its own. */
  emailIds: number[]
}

/**
 * The content of an email together with the others that wait for the same person. Null if it is no longer wanted, or
 * the time to try again. Restart-safe: nothing is written before the email is claimed.
 */
export async function bundleEmail(
  tx: Tx,
  email: Email,
  described: DescribedNotification,
  notifications: Notifications,
  context: EmailContext,
): Promise<Bundled | Date | null> {
  const own = await contentOf(tx, described, context)
  const bundle = bundleOf(described)
  if (!own || !bundle) return own && { content: own, emailIds: [email.id] }
  const found = await findRelatedEmails(tx, email, bundle.common, bundle.everyMs)
  const related =
    'kind' in bundle.common ? found : found.filter(({ key }) => isCollected(notifications.definitionOf(key)))
  const emailedAt = Math.max(...related.map((it) => sentAt(it, tx.now)?.getTime() ?? 0))
  if (emailedAt > tx.now.getTime() - bundle.everyMs) return new Date(emailedAt + bundle.everyMs)
  const waiting = related.filter((it) => it.id !== email.id && !it.doneAt && !it.isSwitchedOff)
  const others = await describeAll(tx, waiting.slice(-ENTRIES_MAX), notifications)
  const contents = [own]
  for (const other of others)
    contents.push(...[await contentOf(tx, other, context)].filter((it) => it !== null))
  return {
    content: contents.length === 1 ? own : combine(described, contents.slice(0, ENTRIES_MAX)),
    emailIds: [email.id, ...waiting.map(({ id }) => id)],
  }
}

/** Emails with `held_until` are sent or being sent. */
const sentAt = ({ heldUntil, doneAt }: Pick<Email, 'heldUntil' | 'doneAt'>, now: Date): Date | null => {
  if (!heldUntil) return null
  if (doneAt) return doneAt
  return heldUntil > now ? heldUntil : null
}

const contentOf = (tx: Tx, { definition, facts, content }: DescribedNotification, context: EmailContext) =>
  definition.email ? definition.email(tx, facts, content, context) : content

async function describeAll(
  tx: Tx,
  emails: { notificationId: number }[],
  notifications: Notifications,
): Promise<DescribedNotification[]> {
  const rows = []
  for (const { notificationId } of emails) rows.push(await findNotification(tx, notificationId))
  return notifications.describe(
    tx,
    rows.filter((row) => row !== undefined),
  )
}

function combine(
  { definition, facts, content }: DescribedNotification,
  contents: EmailContent[],
): EmailContent {
  return {
    ...content,
    title: definition.isHourly
      ? 'New requests match your saved searches'
      : `Updates about “${facts.itemTitle}”`,
    text: definition.isHourly
      ? 'These requests were posted since our last email about your saved searches.'
      : 'All of this has happened since our last email about this deal.',
    entries: contents.map(({ title, text, path }) => ({ title, detail: text, path })),
  }
}
