import { triggerRequirements } from '../accounts/requirements.ts'
import type { Cause } from '../cause.ts'
import { stepOf } from '../currencies.ts'
import type { Tx } from '../database.ts'
import { openDispute } from '../disputes/disputes.ts'
import { openReview, warnOfFraud } from '../disputes/radar.ts'
import { lockObject, type Stored } from '../objects.ts'
import type { TestCard } from './cards.ts'

/** The effects of a test card after its charge succeeded. */
export async function applyTestCard(
  tx: Tx,
  cause: Cause,
  { id, body }: Stored<'charge'>,
  { dispute, fraudWarning, review, triggers }: TestCard,
): Promise<void> {
  if (triggers && body.on_behalf_of) await triggerRequirements(tx, cause, String(body.on_behalf_of), triggers)
  if (fraudWarning) await warnOfFraud(tx, cause, body)
  if (review) await openReview(tx, cause, await lockObject(tx, 'charge', id))
  if (!dispute) return
  const { reason, caseType = 'chargeback', parts = 1 } = dispute
  const step = stepOf(body.currency)
  for (let left = parts, unclaimed = body.amount; left > 0; left--) {
    const amount = Math.ceil(unclaimed / left / step) * step
    unclaimed -= amount
    await openDispute(tx, cause, await lockObject(tx, 'charge', id), { reason, caseType, amount })
  }
}
