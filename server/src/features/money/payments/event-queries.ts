import { and, asc, desc, eq, gt, like } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { webhookEvents } from '../../../database/schema.ts'
import type { ProviderEvent } from '../../../providers/stripe/card-provider.ts'

/** Returns false if the event was stored before. */
export async function insertEvent(tx: Tx, { id, type, objectId }: ProviderEvent): Promise<boolean> {
  const inserted = await tx
    .insert(webhookEvents)
    .values({ id, type, objectId, status: 'parked', receivedAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: webhookEvents.id })
  return inserted.length > 0
}

export async function markHandled(tx: Tx, id: string): Promise<void> {
  await tx.update(webhookEvents).set({ status: 'handled', handledAt: tx.now }).where(eq(webhookEvents.id, id))
}

/**
 * Chargebacks come first, because payments are also synced in other ways. If other products share the Stripe
 * account, their events could otherwise fill the whole batch.
 */
export function findParkedEvents(tx: Tx, since: Date, limit: number): Promise<ProviderEvent[]> {
  return tx
    .select({ id: webhookEvents.id, type: webhookEvents.type, objectId: webhookEvents.objectId })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.status, 'parked'), gt(webhookEvents.receivedAt, since)))
    .orderBy(desc(like(webhookEvents.type, 'charge.dispute.%')), asc(webhookEvents.receivedAt))
    .limit(limit)
}
