import {
  type AccountEmailKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '@sought/contract/notification-kinds'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import { accountWords } from './account-email-texts.ts'
import { describeNotification } from './actions.ts'
import { type Content, type Letter, layOut, messageIdOf } from './email-template.ts'
import { enqueueMails } from './enqueue-mails.ts'
import { findSituation, lockMail, lockReceiver, type Mail, updateMail } from './mail-queries.ts'
import { whenToMail } from './message-email-timing.ts'
import { findNotification, type StoredNotification } from './queries.ts'
import { makeUnsubscribeToken } from './unsubscribe-token.ts'

/** Longer than sending can take. */
const HELD_MS = 60_000

type Needs = Pick<Services, 'database' | 'mailer' | 'config' | 'secrets' | 'log'>

/** Those who tell of many at once leave one job behind; each mail then has its own, and its own tries. */
export async function sendMails(services: Needs, mailIds: number[]): Promise<void> {
  const [mailId, ...others] = mailIds
  if (mailId && others.length === 0) return sendMail(services, mailId)
  await services.database.transact((tx) => enqueueMails(tx, mailIds))
}

/**
 * Sends one mail, if it still should be. However often it is called for the same mail, the mail is sent once; only
 * where we were cut off before we heard that the server took it, it may come again, and then under the same id.
 */
export async function sendMail(services: Needs, mailId: number): Promise<void> {
  const { database, mailer, log } = services
  const taken = await database.transact((tx) => take(tx, mailId, services))
  if (!taken || !mailer) return
  const { mail, letter } = taken
  const messageId = messageIdOf(mail, services.config.publicUrl)
  try {
    const outcome = await mailer.send({ ...letter, messageId, to: mail.address })
    if (outcome === 'refused') log.warn({ mailId, userId: mail.userId }, 'a mail was given up')
  } catch (error) {
    await database.transact((tx) => updateMail(tx, mailId, { heldUntil: null }))
    throw error
  }
  await database.transact((tx) => updateMail(tx, mailId, { doneAt: tx.now }))
}

interface Taken {
  mail: Mail
  letter: Letter
}

/** Takes a mail to send it, or null: it was sent, or another sends it, or it need not or cannot be sent. */
async function take(tx: Tx, mailId: number, services: Needs): Promise<Taken | null> {
  const { mailer, config } = services
  // The person first, as whoever deletes them does too. So of two mails about one conversation, one sees the other.
  await lockReceiver(tx, mailId)
  const found = await lockMail(tx, mailId)
  if (!found || found.mail.doneAt) return null
  const { mail } = found
  if (mail.heldUntil && mail.heldUntil > tx.now) return later(tx, mail, mail.heldUntil)
  const address = addressOf(found)
  // In production there may be no mail server, and then nobody is mailed and nothing is kept.
  if (!address || (!mailer && config.production)) return never(tx, mail)
  const thing = mail.notificationId ? await findNotification(tx, mail.notificationId) : undefined
  if (mail.kind === 'message') {
    const when = await whenToMailAbout(tx, mail, thing)
    if (when === 'never') return never(tx, mail)
    if (when !== 'now') return later(tx, mail, when)
  }
  const addressed = { ...mail, address }
  const content = await contentOf(tx, addressed, thing, services)
  if (!content) return never(tx, mail)
  const letter = layOut(content, unsubscribingOf(mail, services), config.publicUrl)
  if (!mailer) return keep(tx, addressed, letter)
  await updateMail(tx, mailId, { address, heldUntil: new Date(tx.now.getTime() + HELD_MS) })
  return { mail: addressed, letter }
}

function isNotification(kind: string): kind is NotificationKind {
  return NOTIFICATION_KINDS.some((known) => known === kind)
}

/**
 * Notifications go where the person is reached today, if they want them. Mail about the account goes to the address
 * it is for; a link, only while that address is still the account's, or waits to be.
 */
function addressOf(found: NonNullable<Awaited<ReturnType<typeof lockMail>>>): string | null {
  const { mail, email, pendingEmail, mailOff, deletedAt } = found
  const { kind, address } = mail
  if (deletedAt) return null
  if (isNotification(kind)) return mailOff.includes(kind) ? null : email
  switch (kind) {
    case 'verify_email':
      return [email, pendingEmail].includes(address) ? address : null
    case 'reset_password':
      return address === email ? address : null
    case 'email_changed':
    case 'password_changed':
      return address
  }
}

async function whenToMailAbout(
  tx: Tx,
  { id: mailId, userId, createdAt }: Mail,
  thing: StoredNotification | undefined,
) {
  const { actorId, wantedItemId } = thing?.notification ?? {}
  if (!actorId || !wantedItemId) return 'never'
  const situation = await findSituation(tx, { mailId, userId, actorId, wantedItemId })
  return whenToMail({ ...situation, now: tx.now, askedAt: createdAt })
}

async function contentOf(
  tx: Tx,
  { kind, userId, address }: Mail,
  thing: StoredNotification | undefined,
  { config }: Needs,
): Promise<Content | null> {
  if (!isNotification(kind))
    return accountWords(tx, { kind: kind satisfies AccountEmailKind, userId, address })
  return thing ? describeNotification(thing, config.currency) : null
}

function unsubscribingOf({ kind, userId }: Mail, { secrets }: Needs) {
  return isNotification(kind)
    ? { token: makeUnsubscribeToken({ kind, userId }, secrets.sessionSecret) }
    : null
}

async function later(tx: Tx, mail: Mail, when: Date): Promise<null> {
  await enqueueMails(tx, [mail.id], when)
  return null
}

async function never(tx: Tx, mail: Mail): Promise<null> {
  await updateMail(tx, mail.id, { doneAt: tx.now })
  return null
}

/** Where there is no mail server, developers can read what would have been sent. */
async function keep(tx: Tx, { id, address }: Mail, { subject, text, html }: Letter): Promise<null> {
  await updateMail(tx, id, { address, subject, text, html, heldUntil: tx.now, doneAt: tx.now })
  return null
}
