import { vi } from 'vitest'
import type { CardProvider, Intent } from '../providers/stripe/card-provider.ts'
import type { World } from './world.ts'

/** A charge of which nothing else is known. */
export const paidIntent = (id: string): Intent => ({
  id,
  clientSecret: '',
  status: 'paid',
  allowedMethods: [],
  methods: [],
  method: 'card',
  instructionsUrl: null,
  receivedCents: 12_000,
  currency: 'usd',
  chargeId: null,
  fee: null,
  chargedAt: null,
  cardFingerprint: null,
  cardLast4: null,
  installation: null,
  hasHistory: false,
})

/** For fixtures whose payments the provider does not know: it reports that they were charged, and nothing else. */
export function knowCharges<Some extends Pick<World, 'services' | 'sql'>>(world: Some): Some {
  const { cards } = world.services
  const readIntent: CardProvider['readIntent'] = async (id) => {
    const { rowCount } = await world.sql.query(
      "select from payments where stripe_payment_intent_id = $1 and status <> 'pending'",
      [id],
    )
    return rowCount ? paidIntent(id) : null
  }
  if (!cards) return world
  vi.spyOn(cards, 'readIntent').mockImplementation(readIntent)
  const nothing = { refunds: [], chargebacks: [], fraudSignals: [], reversals: [] }
  vi.spyOn(cards, 'readHistory').mockResolvedValue(nothing)
  return world
}
