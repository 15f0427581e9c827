import { createVerify, X509Certificate } from 'node:crypto'
import * as z from 'zod/mini'
import type { Clock } from '../../core/clock.ts'
import { type MailEvent, parseJson, type ReadEvent } from './mail-event.ts'

/*
 * Amazon SES publishes bounces and complaints to a topic of SNS, which sends them here, signed with a key whose
 * certificate it hosts. Every address that is requested begins with the host of our own topic's region, and only the
 * path or the token comes from the message (ADR 110).
 */

const TIMEOUT_MS = 10_000
const CERTIFICATE_MAX_BYTES = 20_000
const CERTIFICATES_MAX = 10
/** Shorter than events are remembered (retention.ts), so that an old one cannot be repeated. */
const MAX_AGE_MS = 7 * 86_400_000
const MAX_AHEAD_MS = 15 * 60_000

const Message = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().check(z.maxLength(100)),
  TopicArn: z.string(),
  Subject: z.nullish(z.string()),
  Message: z.string(),
  Timestamp: z.iso.datetime(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
  SubscribeURL: z.optional(z.string()),
  Token: z.optional(z.string().check(z.regex(/^[\w-]{1,1000}$/))),
})
type Message = z.output<typeof Message>

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const satisfies Record<Message['Type'], (keyof Message)[]>

const HASHES = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' } as const

const Recipients = z.array(z.object({ emailAddress: z.string().check(z.maxLength(320)) }))

/** SES names the kind `notificationType`, or `eventType` if a configuration set publishes it. */
const Report = z.object({
  notificationType: z.optional(z.string()),
  eventType: z.optional(z.string()),
  bounce: z.optional(z.object({ bounceType: z.string(), bouncedRecipients: Recipients })),
  complaint: z.optional(
    z.object({ complainedRecipients: Recipients, complaintFeedbackType: z.nullish(z.string()) }),
  ),
})

/** The text of a page, or null if its server refuses the request. Throws if there is no answer. */
export type GetPage = (url: URL) => Promise<string | null>

export interface SesEvents {
  /** Confirms the subscription of our topic. Throws `SnsUnavailable`. */
  read(body: Buffer): Promise<ReadEvent>
}

/** SNS does not answer. It repeats its message later. */
export class SnsUnavailable extends Error {}

interface Options {
  topicArns: string[]
  clock: Clock
  get?: GetPage
}

export function createSesEvents({ topicArns, clock, get = getPage }: Options): SesEvents {
  const certificates = new Map<string, X509Certificate>()

  async function findCertificate(url: URL): Promise<X509Certificate | null> {
    const known = certificates.get(url.href)
    if (known) return known
    const certificate = parseCertificate(await get(url))
    if (!certificate) return null
    const [oldest] = certificates.keys()
    if (certificates.size >= CERTIFICATES_MAX && oldest) certificates.delete(oldest)
    certificates.set(url.href, certificate)
    return certificate
  }

  async function isSigned(message: Message, region: string): Promise<boolean> {
    const url = certificateUrl(message.SigningCertURL, region)
    const certificate = url && (await findCertificate(url))
    const now = clock()
    if (!certificate || certificate.validFromDate > now || certificate.validToDate < now) return false
    const verify = createVerify(HASHES[message.SignatureVersion])
    for (const name of SIGNED[message.Type]) {
      const value = message[name]
      if (value) verify.update(`${name}\n${value}\n`)
    }
    return verify.verify(certificate.publicKey, message.Signature, 'base64')
  }

  return {
    async read(body) {
      const parsed = Message.safeParse(parseJson(body.toString()))
      if (!parsed.success) return 'bad_signature'
      const { data: message } = parsed
      const region = topicArns.includes(message.TopicArn) && regionOf(message.TopicArn)
      const ageMs = clock().getTime() - Date.parse(message.Timestamp)
      const isCurrent = ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS
      if (!region || !isCurrent || !(await isSigned(message, region))) return 'bad_signature'
      if (message.Type === 'SubscriptionConfirmation') await confirm(message, region, get)
      return message.Type === 'Notification' ? readReport(message) : 'nothing'
    },
  }
}

/** As in arn:aws:sns:eu-central-1:123456789012:bounces, which config.ts has checked. */
const regionOf = (topicArn: string) => topicArn.split(':')[3]
const hostOf = (region: string) => `sns.${region}.amazonaws.com`

/** Null unless it is a certificate of SNS in the region of our topic. */
function certificateUrl(given: string, region: string): URL | null {
  const [, path] = given.match(/^https:\/\/[a-z\d.-]+(\/SimpleNotificationService-[a-z\d]{1,64}\.pem)$/) ?? []
  const url = path ? new URL(path, `https://${hostOf(region)}`) : null
  return url?.href === given ? url : null
}

/** Does not use the address in the message. */
async function confirm({ TopicArn, Token = '' }: Message, region: string, get: GetPage): Promise<void> {
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token })
  const answer = await get(new URL(`https://${hostOf(region)}/?${query}`))
  if (answer === null) throw new SnsUnavailable('SNS refuses to confirm the subscription')
}

function readReport({ MessageId, Message }: Message): ReadEvent {
  const parsed = Report.safeParse(parseJson(Message))
  if (!parsed.success) return 'nothing'
  const { notificationType, eventType = notificationType, bounce, complaint } = parsed.data
  const event = (what: MailEvent['what'], recipients: z.output<typeof Recipients>): MailEvent => {
    return { id: `ses:${MessageId}`, what, addresses: recipients.map(({ emailAddress }) => emailAddress) }
  }
  if (eventType === 'Bounce' && bounce?.bounceType === 'Permanent')
    return event('no_mailbox', bounce.bouncedRecipients)
  if (eventType === 'Complaint' && complaint && complaint.complaintFeedbackType !== 'not-spam')
    return event('complaint', complaint.complainedRecipients)
  return 'nothing'
}

function parseCertificate(pem: string | null): X509Certificate | null {
  try {
    return pem === null ? null : new X509Certificate(pem)
  } catch {
    return null
  }
}

async function getPage(url: URL): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (response.status >= 500) throw new Error(`SNS answered ${response.status}`)
    const text = response.ok ? await response.text() : ''
    return text && text.length <= CERTIFICATE_MAX_BYTES ? text : null
  } catch (error) {
    throw new SnsUnavailable('SNS did not answer', { cause: error })
  }
}
