import { createHmac, timingSafeEqual } from 'node:crypto'

/* How EasyPost signs webhooks. The stand-in signs in the same way. */

export const TRACKING_WEBHOOK_PATH = '/api/tracking/webhook'
export const SIGNATURE_HEADER = 'x-hmac-signature'

/** Signs the raw body. EasyPost normalizes the secret, which people may have typed. */
export function signWebhook(raw: Buffer, secret: string): string {
  return `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(raw).digest('hex')}`
}

export function isSigned(raw: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined) return false
  const [given, expected] = [Buffer.from(signature), Buffer.from(signWebhook(raw, secret))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
