import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/*
 * Requests to addresses that users enter (ADR 52). A name is resolved once, all its addresses are checked, and the
 * connection uses a checked address. So an attacker gains nothing by changing the address of a name between check
 * and use.
 */

/** Thrown if the address may not be contacted. */
export class AddressRefused extends Error {}

/** Options that replace the network and its limits in tests. */
export interface OutgoingRules {
  resolve?: (host: string) => Promise<string[]>
  isAllowed?: (address: string) => boolean
  ports?: readonly number[]
}

interface Outgoing {
  method?: string
  headers: Record<string, string | number>
  body?: Buffer | null
}

const PORTS = [80, 443]

/** Sends a request and resolves with the head of the response. Throws AddressRefused before it connects. */
export async function openOutgoing(
  url: URL,
  { method = 'GET', headers, body = null }: Outgoing,
  signal: AbortSignal,
  { resolve = resolveAll, isAllowed = isPublicAddress, ports = PORTS }: OutgoingRules,
): Promise<IncomingMessage> {
  const { request, port } = protocolOf(url)
  if (!ports.includes(port)) throw new AddressRefused('port not allowed')
  if (url.username || url.password) throw new AddressRefused('credentials in the address')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  const [address] = addresses
  if (!address || !addresses.every(isAllowed)) throw new AddressRefused('address not allowed')
  return new Promise((done, fail) => {
    request(
      {
        method,
        host: address,
        port,
        path: url.pathname + url.search,
        // The certificate must be valid for the name, not for the address.
        ...(isIP(host) ? {} : { servername: host }),
        headers: { host: url.host, 'user-agent': 'Sought', ...headers },
        agent: false,
        signal,
      },
      done,
    )
      .on('error', fail)
      .end(body)
  })
}

async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function protocolOf({ protocol, port }: URL) {
  if (protocol === 'https:') return { request: requestHttps, port: Number(port || 443) }
  if (protocol === 'http:') return { request: requestHttp, port: Number(port || 80) }
  throw new AddressRefused('protocol not allowed')
}

/** Stops waiting when the signal aborts, because resolving a name cannot be aborted. */
export function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true })
    work.then(resolve, reject)
  })
}
