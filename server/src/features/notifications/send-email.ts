import type { MarketSettings } from '@sought/contract/market-settings'
import type { NotificationKind } from '@sought/contract/notification-kinds'
import type { Keys } from '../../core/keys.ts'
import type { Tx } from '../../database/database.ts'
import type { MailOutcome } from '../../providers/mail/mailer.ts'
import type { Services } from '../../services.ts'
import { type Bundled, bundleEmail } from './bundle-emails.ts'
import type { EmailDefinition } from './define-email.ts'
import type { EmailContext } from './define-notification.ts'
import type { DescribedNotification } from './describe-notifications.ts'
import { type Email, findReaderState, lockEmail, lockRecipient, updateEmails } from './email-queries.ts'
import { messageIdOf, type RenderedEmail, renderEmail } from './email-template.ts'
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
  const { email, emailIds, rendered, isAskedFor } = claimed
  const messageId = messageIdOf({ ...email, id: Math.min(...emailIds) }, services.config.publicUrl)
  let outcome: MailOutcome
  try {
    outcome = await mailer.send({ ...rendered, messageId, to: email.address })
  } catch (error) {
    await database.transact((tx) => updateEmails(tx, emailIds, { heldUntil: null }))
    throw error
  }
  if (outcome !== 'sent')
    log.warn({ emailId, userId: email.userId, outcome }, 'email rejected by the mail server')
  await database.transact(async (tx) => {
    await recordOutcome(tx, email, outcome, isAskedFor)
    await updateEmails(tx, emailIds, { doneAt: tx.now })
  })
}

interface ClaimedEmail {
  email: Email
  /** It, and the emails that are sent with it. */
  emailIds: number[]
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
  const { sessionKeys } = secrets
  const context = { sessionKeys, marketName: market.name }
  const addressed = { ...email, address }
  const content = definition && (await contentOf(tx, addressed, definition, context))
  const bundled = definition
    ? content && { content, emailIds: [emailId] }
    : await notificationContent(tx, addressed, services, context)
  if (bundled instanceof Date) return postpone(tx, email, bundled)
  if (!bundled) return skip(tx, email)
  const { emailIds } = bundled
  const rendered = renderEmail(bundled.content, unsubscribeTokenOf(email, sessionKeys), {
    ...market,
    publicUrl: config.publicUrl,
  })
  if (!mailer) return storeDevEmail(tx, addressed, emailIds, rendered)
  await updateEmails(tx, emailIds, { address, heldUntil: new Date(tx.now.getTime() + CLAIM_MS) })
  return { email: addressed, emailIds, rendered, isAskedFor }
}

/** Everybody with an account must learn of new terms. */
const LEGAL_KIND: NotificationKind = 'policy_changed'

/**
 * Notifications go to the user's current address, unless switched off. An address that nobody has verified may be a
 * stranger's, so it gets only emails about the account. Other emails go to the address they were queued
 * for, unless their definition says otherwise.
 */
function addressOf(
  { email, currentAddress, pendingAddress, isVerified, switchedOff, deletedAt }: LockedEmail,
  definition: EmailDefinition | null,
): string | null {
  const { kind, address } = email
  if (deletedAt) return null
  const mayGetEmail = !switchedOff?.includes(kind) && (isVerified || kind === LEGAL_KIND)
  if (!definition) return mayGetEmail ? currentAddress : null
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
): Promise<Bundled | Date | null> {
  const row = email.notificationId && (await queries.findNotification(tx, email.notificationId))
  const [described] = row ? await notifications.describe(tx, [row]) : []
  if (!described) return null
  const when = await whenToEmail(tx, email, described)
  if (when === 'never') return null
  if (when !== 'now') return when
  return bundleEmail(tx, email, described, notifications, context)
}

async function whenToEmail(tx: Tx, email: Email, { definition, notification, facts }: DescribedNotification) {
  if (!definition.isUnread) return 'now'
  const unread = await definition.isUnread(tx, facts)
  const state = await findReaderState(tx, email.id, notification)
  return whenToSend({ ...state, unread, now: tx.now, queuedAt: email.createdAt })
}

function unsubscribeTokenOf({ notificationId, userId, kind }: Email, sessionKeys: Keys): string | null {
  return userId && notificationId ? createUnsubscribeToken({ kind, userId }, sessionKeys) : null
}

async function postpone(tx: Tx, email: Email, until: Date): Promise<null> {
  await enqueueEmails(tx, [email.id], until)
  return null
}

async function skip(tx: Tx, email: Email): Promise<null> {
  await updateEmails(tx, [email.id], { doneAt: tx.now })
  return null
}

/** In development without a mail server, the email is stored and shown at /dev/mail. */
async function storeDevEmail(
  tx: Tx,
  { id, address }: Email,
  emailIds: number[],
  { subject, text, html }: RenderedEmail,
): Promise<null> {
  await updateEmails(tx, emailIds, { address, heldUntil: tx.now, doneAt: tx.now })
  await updateEmails(tx, [id], { subject, text, html })
  return null
}
