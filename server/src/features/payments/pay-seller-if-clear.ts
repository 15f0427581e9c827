import type { Services } from '../../platform/services.ts'
import { findPayout } from '../payouts/queries.ts'
import { paySeller } from '../payouts/send-payouts.ts'
import { syncIfChanged } from './sync-charge.ts'

/** Pays a payout after asking the provider about its charge: a chargeback or a refund may have come first. */
export async function paySellerIfClear(services: Services, payoutId: number): Promise<void> {
  const { cards, database } = services
  const payout = await database.transact((tx) => findPayout(tx, payoutId))
  if (cards && payout?.intentId) await syncIfChanged(services, cards, payout.intentId)
  await paySeller(services, payoutId)
}
