import type { World } from '@sought/server/testing/world'
import { vi } from 'vitest'

/**
 * The payments of fixtures do not exist at the provider. So it answers that those that are paid in our database are
 * charged, that nothing happened to them since, and that it knows no others.
 */
export function chargeAsBooked<Some extends World>(world: Some): Some {
  const { cards } = world.services
  if (!cards) return world
  vi.spyOn(cards, 'readIntent').mockImplementation(async (id) => {
    const { rows } = await world.sql.query(
      "select amount, currency from payments where stripe_payment_intent_id = $1 and status <> 'pending'",
      [id],
    )
    if (!rows[0]) return null
    return {
      id,
      clientSecret: '',
      status: 'paid',
      allowedMethods: null,
      methods: ['card'],
      method: 'card',
      instructionsUrl: null,
      receivedCents: rows[0].amount,
      currency: rows[0].currency,
      chargeId: null,
      fee: null,
      chargedAt: null,
      cardFingerprint: null,
      cardLast4: null,
      installation: null,
      hasHistory: false,
    }
  })
  return world
}
