import { findSettings } from '../database/market-settings.ts'
import { applyMove } from '../features/money/payments/apply-move.ts'
import { lockPayment } from '../features/money/payments/stored-payment.ts'
import { givenPayment } from './given-payment.ts'
import type { Person, World } from './world.ts'

interface Traders extends Pick<World, 'services' | 'sql'> {
  ada: Pick<Person, 'id'>
  bob: Pick<Person, 'id'>
}

/**
 * Holds a payment from Ada to Bob without the provider, which is much cheaper than to pay. For tests that neither
 * refund nor pay out at the provider.
 */
export async function givenHeldPayment(
  { services, sql, ada, bob }: Traders,
  amount?: number,
  terms?: { delivery: 'shipping'; shipWithinDays: number },
): Promise<number> {
  const id = await givenPayment(sql, { buyer: ada, seller: bob, status: 'pending', amount, ...terms })
  await services.database.transact(async (tx) => {
    const payment = await lockPayment(tx, id)
    if (!payment) throw new Error('the payment was just inserted')
    const charge = { chargedAt: tx.now, cardFingerprint: null, cardLast4: null }
    await applyMove(tx, payment, { name: 'hold', actor: 'provider', charge, hold: await findSettings(tx) })
  })
  return id
}
