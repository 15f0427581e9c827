import * as z from 'zod/mini'
import { isSameText } from '../../core/same-text.ts'
import { parseJson, type ReadEvent } from './mail-event.ts'

/*
 * Postmark's webhooks for bounces and spam complaints. Postmark does not sign them. It sends the user name and password
 * of the webhook's address as basic authentication (ADR 110).
 */

const Event = z.object({
  RecordType: z.enum(['Bounce', 'SpamComplaint']),
  MessageID: z.string().check(z.minLength(1), z.maxLength(100)),
  Type: z.string().check(z.maxLength(50)),
  Email: z.string().check(z.maxLength(320)),
})

const NO_MAILBOX = ['HardBounce', 'BadEmailAddress']

/** The user name is not checked. */
export function readPostmarkEvent(body: Buffer, authorization: string, secret: string): ReadEvent {
  const [, encoded = ''] = authorization.match(/^Basic ([\w+/]+=*)$/i) ?? []
  const [, password = ''] =
    Buffer.from(encoded, 'base64')
      .toString()
      .match(/^[^:]*:(.*)$/s) ?? []
  if (!isSameText(password, secret)) return 'bad_signature'
  const parsed = Event.safeParse(parseJson(body.toString()))
  if (!parsed.success) return 'nothing'
  const { RecordType, MessageID, Type, Email } = parsed.data
  const isComplaint = RecordType === 'SpamComplaint' || Type === 'SpamComplaint'
  if (!isComplaint && !NO_MAILBOX.includes(Type)) return 'nothing'
  const what = isComplaint ? 'complaint' : 'no_mailbox'
  // An email has one recipient, so its events differ in what they report.
  return { id: `postmark:${MessageID}:${what}`, what, addresses: [Email] }
}
