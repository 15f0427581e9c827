import type { MarketSettings } from '@sought/contract/market-settings'
import type { Tx } from '../../database/database.ts'
import type { MailOutcome } from '../../providers/mail/mailer.ts'
import type { Services } from '../../services.ts'
import type { EmailDefinition } from './define-email.ts'
import type { EmailContext } from './define-notification.ts'
import type { DescribedNotification } from './describe-notifications.ts'
import { type Email, findReaderState, lockEmail, lockRecipient, updateEmail } from './email-queries.ts'
import { type EmailContent, messageIdOf, type RenderedEmail, renderEmail } from './email-template.ts'
import { enqueueEmails } from './enqueue-emails.ts'
import * as queries from './queries.ts'
import { isSuppressed, recordOutcome } from './suppression.ts'
import { createUnsubscribeToken } from './unsubscribe-token.ts'
import { whenToSend } from './while-away.ts'

/** Longer than sending an email can take. */
const CLAIM_MS = 60_000

type Dependencies = Pick<
  Services,
  'database' | 'mailer' | 'config' | 'secrets' | 'market' | 'notifications' | 'log'
>
type LockedEmail = NonNullable<Awaited<ReturnType<typeof lockEmail>>>

/**
 * If one `notify` has many emails, it adds one job for all of them. That job adds one job per email, so that each is
 * retried separately.
 */
export async function sendEmails(services: Dependencies, emailIds: number[]): Promise<void> {
  const [emailId, ...others] = emailIds
  if (emailId && others.length === 0) return sendEmail(services, emailId)
  await services.database.transact((tx) => enqueueEmails(tx, emailIds))
}

/**
 * Sends an email if it is still wanted. Idempotent, with one exception: if the connection is lost after the mail
 * server accepted the email and before we know it, the email is sent again with the same message id.
 */
export async function sendEmail(services: Dependencies, emailId: number): Promise<void> {
  const { database, mailer, log } = services
  const market = await services.market.read()
  const claimed = await database.transact((tx) => claimEmail(tx, emailId, services, market))
  if (!claimed || !mailer) return
  const { email, rendered, isAskedFor } = claimed
  const messageId = messageIdOf(email, services.config.publicUrl)
  let outcome: MailOutcome
  try {
    outcome = await mailer.send({ ...rendered, messageId, to: email.address })
  } catch (error) {
    await database.transact((tx) => updateEmail(tx, emailId, { heldUntil: null }))
    throw error
  }
  if (outcome !== 'sent')
    log.warn({ emailId, userId: email.userId, outcome }, 'email rejected by the mail server')
  await database.transact(async (tx) => {
    await recordOutcome(tx, email, outcome, isAskedFor)
    await updateEmail(tx, emailId, { doneAt: tx.now })
  })
}

interface ClaimedEmail {
  email: Email
  rendered: RenderedEmail
  isAskedFor: boolean
}

/** Null if the email is done, claimed by another worker, postponed or no longer wanted. */
async function claimEmail(
  tx: Tx,
  emailId: number,
  services: Dependencies,
  market: MarketSettings,
): Promise<ClaimedEmail | null> {
  const { mailer, config, secrets, notifications } = services
  // Locks the user first, like account deletion. This also serializes two emails about one conversation.
  await lockRecipient(tx, emailId)
  const found = await lockEmail(tx, emailId)
  if (!found || found.email.doneAt) return null
  const { email } = found
  if (email.heldUntil && email.heldUntil > tx.now) return postpone(tx, email, email.heldUntil)
  const definition = email.notificationId ? null : notifications.emailOf(email.kind)
  const address = addressOf(found, definition)
  const isAskedFor = definition?.isAskedFor ?? false
  // Without a mail server, production neither sends nor stores emails.
  if (!address || (!mailer && config.production)) return skip(tx, email)
  if (!isAskedFor && (await isSuppressed(tx, address))) return skip(tx, email)
  const { sessionSecret } = secrets
  const context = { sessionSecret, marketName: market.name, currency: config.currency }
  const addressed = { ...email, address }
  const content = definition
    ? await contentOf(tx, addressed, definition, context)
    : await notificationContent(tx, addressed, services, context)
  if (content instanceof Date) return postpone(tx, email, content)
  if (!content) return skip(tx, email)
  const rendered = renderEmail(content, unsubscribeTokenOf(email, sessionSecret), {
    ...market,
    publicUrl: config.publicUrl,
  })
  if (!mailer) return storeDevEmail(tx, addressed, rendered)
  await updateEmail(tx, emailId, { address, heldUntil: new Date(tx.now.getTime() + CLAIM_MS) })
  return { email: addressed, rendered, isAskedFor }
}

/**
 * Notifications go to the user's current address, unless switched off. Other emails go to the address they were queued
 * for, unless their definition says otherwise.
 */
function addressOf(
  { email, currentAddress, pendingAddress, switchedOff, deletedAt }: LockedEmail,
  definition: EmailDefinition | null,
): string | null {
  const { kind, address } = email
  if (deletedAt) return null
  if (!definition) return switchedOff?.includes(kind) ? null : currentAddress
  return definition.addressOf ? definition.addressOf({ address, currentAddress, pendingAddress }) : address
}

function contentOf(tx: Tx, email: Email, definition: EmailDefinition, context: EmailContext) {
  const { userId, supportMessageId } = email
  if (definition.to === 'user') return userId && definition.content(tx, { ...email, userId }, context)
  return supportMessageId && definition.content(tx, { ...email, supportMessageId }, context)
}

/**
 * The content of the email. Null if the notification is no longer wanted. A date if it is too early, to try again
 * then.
 */
async function notificationContent(
  tx: Tx,
  email: Email,
  { notifications }: Dependencies,
  context: EmailContext,
): Promise<EmailContent | Date | null> {
  const row = email.notificationId && (await queries.findNotification(tx, email.notificationId))
  const [described] = row ? await notifications.describe(tx, [row]) : []
  if (!described) return null
  const { definition, facts, content } = described
  const when = await whenToEmail(tx, email, described)
  if (when === 'never') return null
  if (when !== 'now') return when
  return definition.email ? definition.email(tx, facts, content, context) : content
}

async function whenToEmail(tx: Tx, email: Email, { definition, notification, facts }: DescribedNotification) {
  if (!definition.isUnread) return 'now'
  const unread = await definition.isUnread(tx, facts)
  const state = await findReaderState(tx, email.id, notification)
  return whenToSend({ ...state, unread, now: tx.now, queuedAt: email.createdAt })
}

function unsubscribeTokenOf({ notificationId, userId, kind }: Email, sessionSecret: string): string | null {
  return userId && notificationId ? createUnsubscribeToken({ kind, userId }, sessionSecret) : null
}

async function postpone(tx: Tx, email: Email, until: Date): Promise<null> {
  await enqueueEmails(tx, [email.id], until)
  return null
}

async function skip(tx: Tx, email: Email): Promise<null> {
  await updateEmail(tx, email.id, { doneAt: tx.now })
  return null
}

/** In development without a mail server, the email is stored and shown at /dev/mail. */
async function storeDevEmail(
  tx: Tx,
  { id, address }: Email,
  { subject, text, html }: RenderedEmail,
): Promise<null> {
  await updateEmail(tx, id, { address, subject, text, html, heldUntil: tx.now, doneAt: tx.now })
  return null
}
