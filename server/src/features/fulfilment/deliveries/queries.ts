import { ADDRESS_KEPT_DAYS, CANCELLED_AFTER_DAYS } from '@sought/escrow/delivery'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import { files, payments } from '../../../database/schema.ts'
import { isTurn, type Turn } from '../../money/set-aside/set-aside.ts'

const DAY_MS = 86_400_000
const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

export async function findFileType(db: Db, id: string): Promise<string | undefined> {
  const [found] = await db.select({ mimeType: files.mimeType }).from(files).where(eq(files.id, id))
  return found?.mimeType
}

const isUnshipped = and(
  eq(payments.status, 'held_in_escrow'),
  isNull(payments.shippedAt),
  isNotNull(payments.shipBy),
)

/** Locks payments whose ship-by date passed long ago, and skips those locked by another transaction. */
export function lockUnshipped(tx: Tx, turn: Turn, limit: number) {
  return tx
    .select()
    .from(payments)
    .where(
      and(
        isUnshipped,
        lte(payments.shipBy, daysAgo(tx.now, CANCELLED_AFTER_DAYS)),
        isTurn(tx, 'cancel', turn),
      ),
    )
    .orderBy(payments.shipBy)
    .limit(limit)
    .for('update', { skipLocked: true })
}

const halfway = sql`${payments.shipBy} - ${payments.shipWithinDays} * interval '12 hours'`

/**
 * Unshipped payments whose sellers were not reminded yet, by id. Once the ship-by reminder is due, the
 * halfway reminder is skipped.
 */
export function findToRemind(
  tx: Tx,
  event: 'ship_soon' | 'ship_due',
  turn: Turn,
  { after, limit }: { after: number; limit: number },
) {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  return tx
    .select(columns(payments, 'id', 'buyerId', 'sellerId', 'amount'))
    .from(payments)
    .where(
      and(
        isUnshipped,
        event === 'ship_due' ? lte(payments.shipBy, tx.now) : gt(payments.shipBy, tx.now),
        event === 'ship_soon' ? sql`${halfway} <= ${now}` : undefined,
        gt(payments.id, after),
        isTurn(tx, 'reminder', turn),
        sql`not exists (select from notifications where user_id = ${payments.sellerId}
          and key = ${event}::text || ':' || ${payments.id})`,
      ),
    )
    .orderBy(asc(payments.id))
    .limit(limit)
}

/** Erases the addresses of deals that ended long ago, and of abandoned checkouts. */
export async function eraseExpiredAddresses(tx: Tx, limit: number): Promise<number> {
  const expired = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.deliveryAddress),
        notInArray(payments.status, ['held_in_escrow', 'disputed', 'under_review']),
        lte(
          sql`coalesce(${payments.endedAt}, ${payments.updatedAt})`,
          sql`${daysAgo(tx.now, ADDRESS_KEPT_DAYS).toISOString()}::timestamptz`,
        ),
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true })
  const erased = await tx
    .update(payments)
    .set({ deliveryAddress: null, addressHash: null })
    .where(inArray(payments.id, expired))
    .returning({ id: payments.id })
  return erased.length
}
