import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { signWebhook } from '../providers/tracking/webhook-signature.ts'

/*
 * A server that replies like EasyPost, with bodies from EasyPost's documentation. It replies with 500 to a request
 * that EasyPost would not understand, so that the test fails.
 */

export const EASYPOST_ENV = {
  EASYPOST_API_KEY: 'EZTK_a_test_key',
  EASYPOST_WEBHOOK_SECRET: 'sécret of the webhook',
}

const AUTHORIZATION = `Basic ${Buffer.from(`${EASYPOST_ENV.EASYPOST_API_KEY}:`).toString('base64')}`
const CARRIERS = [
  'UPS',
  'USPS',
  'FedEx',
  'DHLExpress',
  'RoyalMail',
  'DeutschePost',
  'CanadaPost',
  'AustraliaPost',
]

interface FakeTracker {
  id: string
  object: 'Tracker'
  mode: 'test'
  tracking_code: string
  status: string
  status_detail: string
  carrier: string
  created_at: string
  updated_at: string
  signed_by: null
  weight: null
  est_delivery_date: null
  shipment_id: null
  is_return: boolean
  finalized: boolean
  tracking_details: { object: 'TrackingDetail'; status: string; datetime: string; message: string }[]
  public_url: string
}

export interface FakeEasyPost {
  url: string
  /** Method and path of all requests so far. */
  requests: string[]
  /** Replies to the next requests, instead of the normal ones. */
  failWith: (number | 'nonsense')[]
  /** Adds a scan to a parcel. */
  scan(number: string, status: string, changes?: Partial<FakeTracker> & { at?: Date }): void
  idOf(number: string): string
  /** The body and the signature of the event about a tracker. */
  event(number: string): { payload: string; signature: string }
}

export async function startFakeEasyPost(): Promise<FakeEasyPost> {
  const trackers = new Map<string, FakeTracker>()
  const requests: string[] = []
  const failWith: (number | 'nonsense')[] = []

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    requests.push(`${request.method} ${request.url}`)
    const failure = failWith.shift()
    if (failure === 'nonsense') return void response.end('<html>')
    const [status, body] = failure
      ? [failure, { error: { code: 'FAILED', message: 'failed' } }]
      : answer(request.method ?? '', request.url ?? '', request.headers, Buffer.concat(chunks).toString())
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

  function answer(
    method: string,
    path: string,
    headers: Record<string, unknown>,
    body: string,
  ): [number, object] {
    if (headers.authorization !== AUTHORIZATION) return [401, { error: { code: 'APIKEY.INACTIVE' } }]
    const [, id] = /^\/v2\/trackers\/(trk_\w+)$/.exec(path) ?? []
    if (method === 'GET' && id) {
      const found = [...trackers.values()].find((tracker) => tracker.id === id)
      return found ? [200, found] : [404, { error: { code: 'NOT_FOUND' } }]
    }
    if (method !== 'POST' || path !== '/v2/trackers' || headers['content-type'] !== 'application/json') {
      return [500, { error: { code: 'UNEXPECTED' } }]
    }
    const { tracker, ...rest } = JSON.parse(body)
    const { tracking_code: number, carrier, ...more } = tracker
    const isExpected = Object.keys({ ...rest, ...more }).length === 0 && CARRIERS.includes(carrier)
    return isExpected ? [201, findOrCreate(number, carrier)] : [500, { error: { code: 'UNEXPECTED' } }]
  }

  /** The same parcel has the same tracker. */
  function findOrCreate(number: string, carrier: string): FakeTracker {
    const found = trackers.get(number)
    if (found) return found
    const now = new Date().toISOString()
    const created: FakeTracker = {
      id: `trk_${randomBytes(16).toString('hex')}`,
      object: 'Tracker',
      mode: 'test',
      tracking_code: number,
      status: 'unknown',
      status_detail: 'unknown',
      carrier,
      created_at: now,
      updated_at: now,
      signed_by: null,
      weight: null,
      est_delivery_date: null,
      shipment_id: null,
      is_return: false,
      finalized: false,
      tracking_details: [],
      public_url: 'https://track.easypost.com/abc',
    }
    trackers.set(number, created)
    return created
  }

  const get = (number: string) => {
    const found = trackers.get(number)
    if (!found) throw new Error(`no tracker of ${number}`)
    return found
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failWith,
    scan(number, status, { at = new Date(), ...changes } = {}) {
      const tracker = trackers.get(number) ?? findOrCreate(number, 'UPS')
      const datetime = at.toISOString()
      tracker.tracking_details.push({ object: 'TrackingDetail', status, datetime, message: status })
      Object.assign(tracker, { status, updated_at: datetime, ...changes })
    },
    idOf: (number) => get(number).id,
    event(number) {
      const payload = JSON.stringify({
        description: 'tracker.updated',
        mode: 'production',
        previous_attributes: { status: 'unknown' },
        created_at: new Date().toISOString(),
        id: 'evt_1',
        object: 'Event',
        status: 'pending',
        result: get(number),
      })
      return { payload, signature: signWebhook(Buffer.from(payload), EASYPOST_ENV.EASYPOST_WEBHOOK_SECRET) }
    },
  }
}
