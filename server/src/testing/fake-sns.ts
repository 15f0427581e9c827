import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { GetPage } from '../providers/mail/ses-events.ts'

/* Signs messages as Amazon SNS does, with a certificate of its own. */

export const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:bounces'
export const CERTIFICATE_URL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a1b2c.pem'

type Fields = Record<string, string>

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const HASHES: Fields = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' }
const DAY_MS = 86_400_000

/** A field of DER: its tag, its length and its content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content)
  const { length } = bytes
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}

/** A certificate in PEM that signs itself. */
export function createCertificate({ from = -DAY_MS, to = 3650 * DAY_MS } = {}): string {
  const time = (offsetMs: number) => {
    const iso = new Date(Date.now() + offsetMs).toISOString().replace(/[-:T]|\.\d+/g, '')
    return der(0x17, Buffer.from(iso.slice(2)))
  }
  // sha256WithRSAEncryption, and the common name sns.amazonaws.com.
  const algorithm = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'))
  const commonName = [Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('sns.amazonaws.com'))]
  const name = der(0x30, der(0x31, der(0x30, ...commonName)))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(
    0x30,
    ...[der(0xa0, Buffer.from('020102', 'hex')), Buffer.from('020101', 'hex'), algorithm, name],
    ...[der(0x30, time(from), time(to)), name, key],
  )
  const signature = createSign('RSA-SHA256').update(body).sign(privateKey)
  const signed = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature))
  return `-----BEGIN CERTIFICATE-----\n${signed.toString('base64')}\n-----END CERTIFICATE-----\n`
}

/** A signed message. `after` changes it after it was signed. */
export function signMessage(given: Fields, after: Fields = {}): Fields {
  const message: Fields = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: TOPIC,
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: CERTIFICATE_URL,
    ...given,
  }
  const isNotification = message.Type === 'Notification'
  const signed = isNotification
    ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = signed.flatMap((name) => (message[name] ? [`${name}\n${message[name]}\n`] : [])).join('')
  const hash = HASHES[message.SignatureVersion ?? '']
  const Signature = createSign(hash ?? 'RSA-SHA256')
    .update(text)
    .sign(privateKey, 'base64')
  return { ...message, Signature, ...after }
}

/** Serves the certificate, and lists the addresses that were requested. */
export function openFakeSns(certificate = createCertificate()) {
  const requested: string[] = []
  const get: GetPage = async ({ href }) => {
    requested.push(href)
    return href.endsWith('.pem') ? certificate : '<ConfirmSubscriptionResponse/>'
  }
  return { requested, get }
}
