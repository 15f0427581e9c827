import type { IncomingMessage } from 'node:http'
import { AddressRefused, type OutgoingRules, openOutgoing, withSignal } from '../providers/outgoing.ts'

/** Downloads from addresses that users enter (ADR 52). */
export interface Downloads {
  /** Throws DownloadFailed if the download is impossible, temporarily or permanently. */
  get(url: string, maxBytes: number): Promise<Buffer>
}

export class DownloadFailed extends Error {}

interface Options extends OutgoingRules {
  timeoutMs?: number
}

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 10_000
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]
const HEADERS = { accept: 'image/*', 'accept-encoding': 'identity' }

/** The options replace the network and its limits in tests. */
export function createDownloads({ timeoutMs = TIMEOUT_MS, ...rules }: Options = {}): Downloads {
  async function follow(url: URL, redirects: number, signal: AbortSignal): Promise<IncomingMessage> {
    const response = await openOutgoing(url, { headers: HEADERS }, signal, rules)
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
        if (error instanceof DownloadFailed) throw error
        if (error instanceof AddressRefused) throw new DownloadFailed(error.message)
        // Without the cause: it names the host, which must not appear in the log.
        throw new DownloadFailed(signal.aborted ? 'timeout' : 'not reachable')
      }
    },
  }
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
