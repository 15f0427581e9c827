import type { DeliveryAddress } from '@sought/contract/delivery-address'
import type { Encryption } from '../../../core/encryption.ts'

/* Addresses are stored only in encrypted form (ADR 60). */

/** The owner of an address. It cannot be decrypted for any other owner. */
export type AddressOwner = `user:${string}` | `payment:${number}`

export const addressOwner = (owner: AddressOwner) => `delivery-address:${owner}`

export function sealAddress(
  encryption: Encryption,
  address: DeliveryAddress,
  owner: AddressOwner,
): Promise<string> {
  return encryption.seal(JSON.stringify(address), addressOwner(owner))
}

/** Throws Unreadable if DATA_KEY has changed or the row was altered. */
export async function openAddress(
  encryption: Encryption,
  sealed: string,
  owner: AddressOwner,
): Promise<DeliveryAddress> {
  return JSON.parse(await encryption.open(sealed, addressOwner(owner)))
}

/** The same hash for everybody who enters this address, whatever the name of the recipient (ADR 80). */
export function hashAddress(
  encryption: Encryption,
  { line1, line2, postalCode, country }: DeliveryAddress,
): Promise<string> {
  const place = [line1, line2, postalCode].map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  return encryption.hash(['delivery-address', country, ...place].join(':'))
}
