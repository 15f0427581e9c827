import { isIP } from 'node:net'
import webPush from 'web-push'
import { AddressRefused, type OutgoingRules, openOutgoing, withSignal } from '../outgoing.ts'
import { isPublicAddress } from '../public-address.ts'
import type { PushKeys } from './push-keys.ts'

/*
 * Sends push notifications to the services of browser vendors (ADR 68). The library encrypts the text for the
 * browser and signs the request. The request itself passes our address check, because the address comes from the
 * user.
 */

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

interface PushMessage {
  payload: object
  /** How long the service keeps the message for an offline browser. */
  ttlSeconds: number
}

export interface PushService {
  publicKey(): Promise<string>
  /** Whether an address may belong to a push service. The name is resolved and checked again for each message. */
  accepts(endpoint: string): boolean
  /** 'gone' if the subscription will never work again. Throws on errors that may be temporary. */
  send(subscription: Subscription, message: PushMessage): Promise<'sent' | 'gone'>
}

interface Options {
  readKeys: () => Promise<PushKeys>
  publicUrl: string
  /** Also accepts push services on this machine, for development. */
  allowLoopback: boolean
}

const TIMEOUT_MS = 10_000
const HTTPS_PORT = 443
/** The statuses of a subscription that has ended (RFC 8030). */
const GONE = [404, 410]
const LOOPBACK = ['127.0.0.1', '::1']

export const generatePushKeys = (): PushKeys => webPush.generateVAPIDKeys()

export function createPushService({ readKeys, publicUrl, allowLoopback }: Options): PushService {
  const isLoopback = (address: string) => allowLoopback && LOOPBACK.includes(address)
  const isAllowed = (address: string) => isPublicAddress(address) || isLoopback(address)
  const subject = `mailto:no-reply@${new URL(publicUrl).hostname}`

  function rulesFor({ hostname, port }: URL): OutgoingRules {
    return { isAllowed, ports: [isLoopback(hostOf(hostname)) ? Number(port) : HTTPS_PORT] }
  }

  async function encrypt({ endpoint, p256dh, auth }: Subscription, { payload, ttlSeconds }: PushMessage) {
    const vapidDetails = { subject, ...(await readKeys()) }
    try {
      return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
        vapidDetails,
        TTL: ttlSeconds,
      })
    } catch {
      // The keys come from the browser, and these are not a point on the curve.
      return null
    }
  }

  return {
    publicKey: async () => (await readKeys()).publicKey,

    accepts(endpoint) {
      const { protocol, hostname, port, username, password } = new URL(endpoint)
      const host = hostOf(hostname)
      if (isLoopback(host)) return true
      if (protocol !== 'https:' || port !== '' || username || password) return false
      return !isIP(host) && isPublicName(host)
    },

    async send(subscription, message) {
      const details = await encrypt(subscription, message)
      if (!details) return 'gone'
      const url = new URL(details.endpoint)
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const { method, body } = details
      const headers = details.headers as Record<string, string | number>
      try {
        const opening = openOutgoing(url, { method, headers, body }, signal, rulesFor(url))
        const response = await withSignal(opening, signal)
        response.destroy()
        const { statusCode = 0 } = response
        if (GONE.includes(statusCode)) return 'gone'
        if (statusCode >= 200 && statusCode < 300) return 'sent'
        throw new PushFailed(`status ${statusCode}`)
      } catch (error) {
        if (error instanceof AddressRefused) return 'gone'
        // Without the cause: it names the subscription's address, which is a secret.
        throw error instanceof PushFailed ? error : new PushFailed('not reachable')
      }
    },
  }
}

class PushFailed extends Error {}

/** Names that only our own network resolves (RFC 6761, 6762, 8375). */
const LOCAL_NAMES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid|arpa|onion)$/

/** A name may end with the dot of the root. */
function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return /^[^.]+(?:\.[^.]+)+$/.test(name) && !LOCAL_NAMES.test(name)
}

const hostOf = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
