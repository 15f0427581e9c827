import { formatBudget } from '@sought/contract/money'
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  VISITOR_EMAIL_KINDS,
  type VisitorEmailKind,
} from '@sought/contract/notification-kinds'
import { paths } from '@sought/contract/paths'
import type { Currency } from '@sought/contract/platform'
import { itemStatusAt } from '@sought/escrow/reservation'
import { removeDirectionMarks } from '../../core/direction-marks.ts'
import type { Tx } from '../../database/database.ts'
import type { MailOutcome } from '../../providers/mail/mailer.ts'
import type { Services } from '../../services.ts'
import { accountEmailContent } from './account-email-texts.ts'
import { describeNotification } from './actions.ts'
import {
  type Email,
  findDigestItems,
  findMessageEmailState,
  findTicketOf,
  lockEmail,
  lockRecipient,
  updateEmail,
} from './email-queries.ts'
import { type EmailContent, messageIdOf, type RenderedEmail, renderEmail } from './email-template.ts'
import { enqueueEmails } from './enqueue-emails.ts'
import { whenToEmail } from './message-email-timing.ts'
import { findNotification, type StoredNotification } from './queries.ts'
import { isHeldBack, recordOutcome } from './suppression.ts'
import { replyText, visitorEmailContent } from './ticket-email-texts.ts'
import { createUnsubscribeToken } from './unsubscribe-token.ts'

/** Longer than sending an email can take. */
const CLAIM_MS = 60_000

type Dependencies = Pick<Services, 'database' | 'mailer' | 'config' | 'secrets' | 'market' | 'log'>

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
  const { name: marketName } = await services.market.read()
  const claimed = await database.transact((tx) => claimEmail(tx, emailId, services, marketName))
  if (!claimed || !mailer) return
  const { email, rendered } = claimed
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
    await recordOutcome(tx, email, outcome)
    await updateEmail(tx, emailId, { doneAt: tx.now })
  })
}

interface ClaimedEmail {
  email: Email
  rendered: RenderedEmail
}

/** Null if the email is done, claimed by another worker, postponed or no longer wanted. */
async function claimEmail(
  tx: Tx,
  emailId: number,
  services: Dependencies,
  marketName: string,
): Promise<ClaimedEmail | null> {
  const { mailer, config } = services
  // Locks the user first, like account deletion. This also serializes two emails about one conversation.
  await lockRecipient(tx, emailId)
  const found = await lockEmail(tx, emailId)
  if (!found || found.email.doneAt) return null
  const { email } = found
  if (email.heldUntil && email.heldUntil > tx.now) return postpone(tx, email, email.heldUntil)
  const address = addressOf(found)
  // Without a mail server, production neither sends nor stores emails.
  if (!address || (!mailer && config.production)) return skip(tx, email)
  if (await isHeldBack(tx, email.kind, address)) return skip(tx, email)
  const stored = email.notificationId ? await findNotification(tx, email.notificationId) : undefined
  if (email.kind === 'message') {
    const when = await whenToEmailAbout(tx, email, stored)
    if (when === 'never') return skip(tx, email)
    if (when !== 'now') return postpone(tx, email, when)
  }
  // Since then, the request may have been closed, reserved or expired.
  const isOpen = stored?.item && itemStatusAt(stored.item, tx.now) === 'open'
  if (email.kind === 'search_match' && !isOpen) return skip(tx, email)
  const addressed = { ...email, address }
  const content = await contentOf(tx, addressed, stored, services, marketName)
  if (!content) return skip(tx, email)
  const rendered = renderEmail(content, unsubscribeTokenOf(email, services), {
    name: marketName,
    publicUrl: config.publicUrl,
  })
  if (!mailer) return storeDevEmail(tx, addressed, rendered)
  await updateEmail(tx, emailId, { address, heldUntil: new Date(tx.now.getTime() + CLAIM_MS) })
  return { email: addressed, rendered }
}

function isNotification(kind: string): kind is NotificationKind {
  return NOTIFICATION_KINDS.some((known) => known === kind)
}

function isForVisitor(kind: string): kind is VisitorEmailKind {
  return VISITOR_EMAIL_KINDS.some((known) => known === kind)
}

/**
 * Notifications go to the user's current address, unless switched off. Account emails go to the address they
 * were queued for. Those with a link are sent only while that address is the user's current or pending one.
 */
function addressOf(found: NonNullable<Awaited<ReturnType<typeof lockEmail>>>): string | null {
  const { currentAddress, pendingAddress, switchedOff, deletedAt } = found
  const { kind, address } = found.email
  if (deletedAt) return null
  if (isNotification(kind)) return switchedOff?.includes(kind) ? null : currentAddress
  switch (kind) {
    case 'verify_email':
      return [currentAddress, pendingAddress].includes(address) ? address : null
    case 'reset_password':
      return address === currentAddress ? address : null
    case 'email_changed':
    case 'password_changed':
    case 'second_factor_added':
    case 'second_factor_removed':
    case 'new_device':
    case 'payout_account_changed':
    case 'ticket_received':
    case 'ticket_answered':
      return address
    case 'reconciliation_differences':
      return currentAddress
  }
}

async function whenToEmailAbout(
  tx: Tx,
  { id: emailId, userId, createdAt }: Email,
  stored: StoredNotification | undefined,
) {
  const { actorId, wantedItemId } = stored?.notification ?? {}
  if (!userId || !actorId || !wantedItemId) return 'never'
  const state = await findMessageEmailState(tx, { emailId, userId, actorId, wantedItemId })
  return whenToEmail({ ...state, now: tx.now, queuedAt: createdAt })
}

async function contentOf(
  tx: Tx,
  { kind, userId, address, createdAt, supportMessageId }: Email,
  stored: StoredNotification | undefined,
  { config, secrets }: Dependencies,
  marketName: string,
): Promise<EmailContent | null> {
  const { sessionSecret } = secrets
  if (isForVisitor(kind)) {
    const ticket = supportMessageId ? await findTicketOf(tx, supportMessageId) : undefined
    return ticket ? visitorEmailContent(kind, ticket, sessionSecret) : null
  }
  if (!isNotification(kind))
    return userId
      ? accountEmailContent(tx, { kind, userId, address, createdAt }, sessionSecret, marketName)
      : null
  if (!stored) return null
  return kind === 'search_digest'
    ? digestContent(tx, stored, config.currency)
    : notificationEmailContent(stored, config.currency)
}

/** The email about a reply of our team contains the reply. */
function notificationEmailContent(stored: StoredNotification, currency: Currency): EmailContent {
  const content = describeNotification(stored, currency)
  return stored.ticket?.reply ? { ...content, text: replyText(stored.ticket.reply) } : content
}

const DIGEST_ITEMS_MAX = 20

/** The requests of the digest that are still open. Null if there are none. */
async function digestContent(
  tx: Tx,
  stored: StoredNotification,
  currency: Currency,
): Promise<EmailContent | null> {
  const { userId, createdAt } = stored.notification
  const items = await findDigestItems(tx, userId, createdAt, DIGEST_ITEMS_MAX + 1)
  if (items.length === 0) return null
  const isMore = items.length > DIGEST_ITEMS_MAX
  return {
    ...describeNotification(stored, currency),
    text: isMore
      ? `These are the latest ${DIGEST_ITEMS_MAX}. Open your saved searches to see all.`
      : 'These requests were posted since the last digest.',
    entries: items.slice(0, DIGEST_ITEMS_MAX).map((item) => ({
      title: removeDirectionMarks(item.title),
      detail: removeDirectionMarks(`${formatBudget(item, currency)} · ${item.category} · ${item.location}`),
      path: paths.item(item.id),
    })),
  }
}

function unsubscribeTokenOf({ kind, userId }: Email, { secrets }: Dependencies): string | null {
  return userId && isNotification(kind)
    ? createUnsubscribeToken({ kind, userId }, secrets.sessionSecret)
    : null
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
