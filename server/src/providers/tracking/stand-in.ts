import { createHash } from 'node:crypto'
import type { TrackingStatus } from '@sought/contract/carriers'
import { eq } from 'drizzle-orm'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../database/database.ts'
import { standInParcels } from '../../database/schema.ts'
import { type ParcelReport, TrackingFailed, type TrackingProvider } from './tracking-provider.ts'
import { isSigned, signWebhook } from './webhook-signature.ts'

/*
 * Replaces the tracking service in development and tests. Its parcels move only on command, and each step is
 * reported with a signed webhook, as by the real service.
 */

export interface StandIn extends TrackingProvider {
  /** Moves all parcels with this number, and returns the webhooks to deliver. */
  move(number: string, status: TrackingStatus): Promise<SignedWebhook[]>
}

export interface SignedWebhook {
  trackerId: string
  raw: Buffer
  signature: string
}

export function createStandIn(db: Db, clock: Clock, webhookSecret: string): StandIn {
  async function find(trackerId: string): Promise<ParcelReport> {
    const [parcel] = await db.select().from(standInParcels).where(eq(standInParcels.trackerId, trackerId))
    if (!parcel) throw new TrackingFailed(`no parcel ${trackerId}`)
    const { status, updatedAt } = parcel
    return {
      trackerId,
      status,
      reportedAt: updatedAt,
      deliveredAt: status === 'delivered' ? updatedAt : null,
    }
  }

  const sign = (trackerId: string): SignedWebhook => {
    const raw = Buffer.from(JSON.stringify({ trackerId }))
    return { trackerId, raw, signature: signWebhook(raw, webhookSecret) }
  }

  return {
    supports: (carrier) => carrier !== 'other',

    async register(carrier, number) {
      const hash = createHash('sha256').update(`${carrier} ${number}`).digest('hex')
      const trackerId = `trk_${hash.slice(0, 32)}`
      const parcel = { trackerId, carrier, number, status: 'pre_transit', updatedAt: clock() } as const
      await db.insert(standInParcels).values(parcel).onConflictDoNothing()
      return find(trackerId)
    },

    fetch: find,

    parseWebhook(raw, signature) {
      return isSigned(raw, signature, webhookSecret) ? JSON.parse(raw.toString('utf8')) : undefined
    },

    async move(number, status) {
      const moved = await db
        .update(standInParcels)
        .set({ status, updatedAt: clock() })
        .where(eq(standInParcels.number, number))
        .returning({ trackerId: standInParcels.trackerId })
      return moved.map(({ trackerId }) => sign(trackerId))
    },
  }
}
