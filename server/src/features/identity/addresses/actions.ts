import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { eq } from 'drizzle-orm'
import { type Encryption, Unreadable } from '../../../core/encryption.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { deliveryAddresses } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import { lockActiveUser } from '../accounts/active-users.ts'
import { hashAddress, openAddress, sealAddress } from './sealed-addresses.ts'

export { deleteAddressOf }

type Owner = Pick<User, 'id'>

/** An address that can no longer be decrypted counts as none: the user can enter it again. */
export async function readSavedAddress(db: Db, encryption: Encryption, { id }: Owner) {
  const sealed = await findAddress(db, id)
  if (!sealed) return { deliveryAddress: null }
  try {
    return { deliveryAddress: await openAddress(encryption, sealed, `user:${id}`) }
  } catch (error) {
    if (error instanceof Unreadable) return { deliveryAddress: null }
    throw error
  }
}

export async function saveAddress(
  tx: Tx,
  encryption: Encryption,
  deliveryAddress: DeliveryAddress,
  { id }: Owner,
) {
  await lockActiveUser(tx, id)
  await upsertAddress(tx, id, {
    address: await sealAddress(encryption, deliveryAddress, `user:${id}`),
    addressHash: await hashAddress(encryption, deliveryAddress),
  })
  return { deliveryAddress }
}

/** The encrypted address. Undefined if the user has saved none. */
async function findAddress(db: Db, userId: string): Promise<string | undefined> {
  const found = await findRow(db, deliveryAddresses, { userId }, ['address'])
  return found?.address
}

async function upsertAddress(
  tx: Tx,
  userId: string,
  sealed: { address: string; addressHash: string },
): Promise<void> {
  await tx
    .insert(deliveryAddresses)
    .values({ userId, ...sealed, updatedAt: tx.now })
    .onConflictDoUpdate({ target: deliveryAddresses.userId, set: { ...sealed, updatedAt: tx.now } })
}

async function deleteAddressOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(deliveryAddresses).where(eq(deliveryAddresses.userId, userId))
}
