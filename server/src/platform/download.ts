import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/*
 * Downloads from addresses that users name (ADR 52). A name is resolved once, all its addresses are checked, and the
 * connection goes to the checked address, so a name that changes its address between check and use gains nothing.
 */

export interface Downloads {
  /** Throws DownloadFailed if there is nothing to be had, now or ever. */
  get(url: string, maxBytes: number): Promise<Buffer>
}

export class DownloadFailed extends Error {}

interface Options {
  resolve?: (host: string) => Promise<string[]>
  isAllowed?: (address: string) => boolean
  ports?: readonly number[]
  timeoutMs?: number
}

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 10_000
const PORTS = [80, 443]
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

/** The options replace the network and its limits in tests. */
export function createDownloads({
  resolve = resolveAll,
  isAllowed = isPublicAddress,
  ports = PORTS,
  timeoutMs = TIMEOUT_MS,
}: Options = {}): Downloads {
  async function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const { request, port } = protocolOf(url)
    if (!ports.includes(port)) throw new DownloadFailed('port not allowed')
    if (url.username || url.password) throw new DownloadFailed('credentials in the address')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await resolve(host)
    const [address] = addresses
    if (!address || !addresses.every(isAllowed)) throw new DownloadFailed('address not allowed')
    return new Promise((done, fail) => {
      request(
        {
          host: address,
          port,
          path: url.pathname + url.search,
          // The certificate must be valid for the name, not for the address.
          ...(isIP(host) ? {} : { servername: host }),
          headers: {
            host: url.host,
            accept: 'image/*',
            'accept-encoding': 'identity',
            'user-agent': 'Sought',
          },
          agent: false,
          signal,
        },
        done,
      )
        .on('error', fail)
        .end()
    })
  }

  async function follow(url: URL, redirects: number, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await open(url, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return response
    response.destroy()
    if (!REDIRECT_STATUSES.includes(statusCode) || !headers.location || redirects === 0)
      throw new DownloadFailed(`status ${statusCode}`)
    return follow(new URL(headers.location, url), redirects - 1, signal)
  }

  return {
    async get(url, maxBytes) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await withSignal(follow(new URL(url), REDIRECTS_MAX, signal), signal)
        return await readBody(response, maxBytes)
      } catch (error) {
        // Not the cause: it names the host, which does not belong into the log.
        throw error instanceof DownloadFailed ? error : new DownloadFailed('not reachable')
      }
    },
  }
}

async function resolveAll(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function protocolOf({ protocol, port }: URL) {
  if (protocol === 'https:') return { request: requestHttps, port: Number(port || 443) }
  if (protocol === 'http:') return { request: requestHttp, port: Number(port || 80) }
  throw new DownloadFailed('protocol not allowed')
}

/** Resolving a name cannot be aborted, so this stops waiting for it. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DownloadFailed('timeout')), { once: true })
    work.then(resolve, reject)
  })
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) {
      response.destroy()
      throw new DownloadFailed('too large')
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
