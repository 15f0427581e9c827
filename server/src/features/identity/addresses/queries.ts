import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { deliveryAddresses } from '../../../database/schema.ts'

/** The encrypted address. Undefined if the user has saved none. */
export async function findAddress(db: Db, userId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ address: deliveryAddresses.address })
    .from(deliveryAddresses)
    .where(eq(deliveryAddresses.userId, userId))
  return found?.address
}

export async function upsertAddress(tx: Tx, userId: string, address: string): Promise<void> {
  await tx
    .insert(deliveryAddresses)
    .values({ userId, address, updatedAt: tx.now })
    .onConflictDoUpdate({ target: deliveryAddresses.userId, set: { address, updatedAt: tx.now } })
}

export async function deleteAddressOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(deliveryAddresses).where(eq(deliveryAddresses.userId, userId))
}
