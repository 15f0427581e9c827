import { createHmac } from 'node:crypto'
import { toUnixSeconds } from '../objects.ts'

/** The value of the `Stripe-Signature` header. */
export function signBody(body: string, secret: string, now: Date): string {
  const at = toUnixSeconds(now)
  const proof = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},v1=${proof}`
}
