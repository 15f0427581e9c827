import type { Services } from '../../../services.ts'
import { findPayoutIntent, paySeller } from '../payouts/send-payouts.ts'
import { syncIfChanged } from './sync-charge.ts'

/** Pays a payout after asking the provider about its charge: a chargeback or a refund may have come first. */
export async function paySellerIfClear(services: Services, payoutId: number): Promise<void> {
  const { cards, database } = services
  const intentId = await findPayoutIntent(database, payoutId)
  if (cards && intentId) await syncIfChanged(services, cards, intentId)
  await paySeller(services, payoutId)
}
