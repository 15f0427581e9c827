import type { Carrier, TrackingStatus } from '@sought/contract/carriers'
import * as z from 'zod/mini'
import { type ParcelReport, TrackingFailed, type TrackingProvider } from './tracking-provider.ts'
import { isSigned } from './webhook-signature.ts'

/* EasyPost's tracking API (ADR 59). */

const TIMEOUT_MS = 10_000

/** EasyPost's names. Other carriers are not tracked (ADR 59). */
const CARRIER_NAMES: { [carrier in Carrier]?: string } = {
  ups: 'UPS',
  usps: 'USPS',
  fedex: 'FedEx',
  dhl: 'DHLExpress',
  royal_mail: 'RoyalMail',
  deutsche_post: 'DeutschePost',
  canada_post: 'CanadaPost',
  australia_post: 'AustraliaPost',
}

const TrackerId = z.string().check(z.regex(/^trk_\w{1,100}$/))

const moment = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => new Date(text)),
)

const Tracker = z.object({
  id: TrackerId,
  object: z.literal('Tracker'),
  tracking_code: z.string(),
  status: z.string(),
  updated_at: moment,
  /** The parcel is on its way back to the sender. */
  is_return: z.nullish(z.boolean()),
  tracking_details: z._default(
    z.array(z.object({ status: z.nullish(z.string()), datetime: z.nullish(moment) })),
    [],
  ),
})

const Event = z.object({
  object: z.literal('Event'),
  result: z.object({ object: z.literal('Tracker'), id: TrackerId }),
})

interface Options {
  apiKey: string
  webhookSecret: string
  apiUrl: string
}

const authorizationOf = (apiKey: string) => `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`

const Webhooks = z.object({ webhooks: z.array(z.object({ url: z.string() })) })

/** What is wrong with the key or the webhook in EasyPost. Throws if it does not answer. */
export async function checkEasyPost(
  { apiKey, apiUrl }: Pick<Options, 'apiKey' | 'apiUrl'>,
  publicUrl: string,
): Promise<string | null> {
  const response = await fetch(`${apiUrl}/v2/webhooks`, {
    headers: { authorization: authorizationOf(apiKey), accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status === 401 || response.status === 403) return 'EasyPost does not accept EASYPOST_API_KEY.'
  if (!response.ok) return `EasyPost answers ${response.status}.`
  const { webhooks } = Webhooks.parse(await response.json())
  const url = `${publicUrl}/api/tracking/webhook`
  return webhooks.some((webhook) => webhook.url === url)
    ? null
    : `EasyPost has no webhook with the address ${url}. Create it there, with EASYPOST_WEBHOOK_SECRET.`
}

export function createEasyPost({ apiKey, webhookSecret, apiUrl }: Options): TrackingProvider {
  const authorization = authorizationOf(apiKey)

  async function request(method: 'GET' | 'POST', path: string, body?: object): Promise<Tracker> {
    try {
      const response = await fetch(`${apiUrl}/v2${path}`, {
        method,
        headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (!response.ok) throw new TrackingFailed(`EasyPost answered ${response.status}`)
      return Tracker.parse(await response.json())
    } catch (error) {
      if (error instanceof TrackingFailed) throw error
      throw new TrackingFailed('EasyPost did not answer as expected', { cause: error })
    }
  }

  return {
    supports: (carrier) => CARRIER_NAMES[carrier] !== undefined,

    async register(carrier, number) {
      const tracker = { tracking_code: number, carrier: CARRIER_NAMES[carrier] }
      const created = await request('POST', '/trackers', { tracker })
      if (created.tracking_code.toUpperCase() !== number) {
        throw new TrackingFailed('EasyPost answered with another parcel')
      }
      return reportOf(created)
    },

    async fetch(trackerId) {
      const found = await request('GET', `/trackers/${encodeURIComponent(trackerId)}`)
      if (found.id !== trackerId) throw new TrackingFailed('EasyPost answered with another tracker')
      return reportOf(found)
    },

    parseWebhook(raw, signature) {
      if (!isSigned(raw, signature, webhookSecret)) return undefined
      const event = Event.safeParse(parseJson(raw))
      return { trackerId: event.success ? event.data.result.id : null }
    },
  }
}

type Tracker = z.output<typeof Tracker>

function reportOf(tracker: Tracker): ParcelReport {
  const status = statusOf(tracker)
  const arrivals = tracker.tracking_details.filter((detail) => detail.status === 'delivered')
  return {
    trackerId: tracker.id,
    status,
    reportedAt: tracker.updated_at,
    deliveredAt: status === 'delivered' ? (arrivals.at(-1)?.datetime ?? null) : null,
  }
}

/** A returned parcel is also delivered at the end, but to the sender. */
function statusOf({ status, is_return }: Tracker): TrackingStatus {
  switch (status) {
    case 'pre_transit':
    case 'in_transit':
    case 'out_for_delivery':
    case 'available_for_pickup':
    case 'delivered':
      return is_return ? 'return_to_sender' : status
    case 'return_to_sender':
    case 'failure':
      return status
    case 'cancelled':
      return 'failure'
    default:
      // 'unknown', 'error', and statuses that EasyPost may add.
      return 'unknown'
  }
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return null
  }
}
