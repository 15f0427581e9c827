import { NOTIFICATION_KINDS } from '@sought/contract/notification-kinds'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import type { Database, Tx } from '../../database/database.ts'
import { announce } from '../../http/events.ts'
import { serveSignedWebhook } from '../../http/signed-webhook.ts'
import type { MailEvent, ReadEvent } from '../../providers/mail/mail-event.ts'
import { readPostmarkEvent } from '../../providers/mail/postmark-events.ts'
import { SnsUnavailable } from '../../providers/mail/ses-events.ts'
import type { Services } from '../../services.ts'
import * as emailQueries from './email-queries.ts'

/*
 * Mail services accept an email first, and report later that its address does not exist or that its owner marked it as
 * spam (ADR 110). The replies of SMTP servers are handled in send-email.ts.
 */

export async function serveMailEvents(app: FastifyInstance, services: Services): Promise<void> {
  const { database, config } = services
  await serveSignedWebhook(app, { path: '/api/mail/bounces/ses' }, async (body) => {
    const { ses } = services
    return ses ? receive(database, await ses.read(body).catch(refuseUnavailable)) : 'bad_signature'
  })
  const postmark = { path: '/api/mail/bounces/postmark', header: 'authorization' }
  await serveSignedWebhook(app, postmark, async (body, authorization) => {
    const { postmarkSecret } = config
    if (!postmarkSecret) return 'bad_signature'
    return receive(database, readPostmarkEvent(body, authorization, postmarkSecret))
  })
}

function refuseUnavailable(error: unknown): never {
  throw error instanceof SnsUnavailable ? refuse('unavailable', { retryAfterSeconds: 60 }) : error
}

async function receive({ transact }: Database, event: ReadEvent): Promise<'received' | 'bad_signature'> {
  if (event === 'bad_signature') return event
  if (event !== 'nothing') await transact((tx) => handleEvent(tx, event))
  return 'received'
}

/**
 * Suppresses the addresses of our users. Others are ignored, so that nothing is stored about strangers. A complaint also
 * switches off all emails that can be switched off: the suppression ends with the next link that the user asks for.
 */
async function handleEvent(tx: Tx, { id, what, addresses }: MailEvent): Promise<void> {
  if (!(await emailQueries.insertMailEvent(tx, id))) return
  const reported = addresses.map((address) => address.toLowerCase())
  const owners = await emailQueries.lockOwners(tx, reported)
  for (const { userId, email, pendingEmail } of owners) {
    const own = [email, pendingEmail].filter((it) => it !== null && reported.includes(it.toLowerCase()))
    for (const address of own) if (address) await emailQueries.insertSuppression(tx, address)
    if (what === 'complaint' && own.includes(email))
      await emailQueries.switchOffEmails(tx, userId, NOTIFICATION_KINDS)
  }
  await announce(
    tx,
    owners.map(({ userId }) => userId),
    { about: 'everything' },
  )
}
