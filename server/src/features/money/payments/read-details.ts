import { ADDRESS_KEPT_DAYS, decideCancellation } from '@sought/escrow/delivery'
import { partyIn } from '@sought/escrow/moves'
import { type Encryption, Unreadable } from '../../../core/encryption.ts'
import type { Db } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { openAddress } from '../../identity/addresses/sealed-addresses.ts'
import { cancellationFeeOf } from '../debts/actions.ts'
import { findOwnPayment } from './actions.ts'
import { asPayment } from './presenters.ts'
import * as queries from './queries.ts'
import { readRefundable } from './refund-released.ts'
import { handoverOwner } from './start-payment.ts'
import type { Payment } from './stored-payment.ts'

const DAY_MS = 86_400_000

/** A payment with the decrypted details that this party may see. */
export async function readDetails(db: Db, encryption: Encryption, id: number, user: User, now: Date) {
  const row = await findOwnPayment(db, id, user)
  const { payment } = row
  const isBuyer = partyIn(payment, user.id) === 'buyer'
  const address = isBuyer || isShownToSeller(payment) ? keptAddress(payment, now) : null
  const mayCancel = decideCancellation(payment, 'seller', now) === 'cancel'
  const isCodeShown = isBuyer && payment.status === 'held_in_escrow'
  return {
    ...asPayment(row),
    deliveryAddress: address ? await orNull(openAddress(encryption, address, `payment:${id}`)) : null,
    handoverCode: isCodeShown ? await openHandoverCode(encryption, payment) : null,
    refundable: isBuyer ? null : await readRefundable(db, payment),
    cancellationFee: mayCancel && !isBuyer ? await cancellationFeeOf(db, payment) : null,
  }
}

/** The delivery and IP addresses of a buyer's payments, as long as they are kept. */
export async function addressesOf(db: Db, encryption: Encryption, { id: buyerId }: User) {
  const found = await queries.findAddressesOf(db, buyerId)
  return Promise.all(
    found.map(async ({ id, sealed, purchaseIp }) => ({
      paymentId: id,
      purchaseIp,
      deliveryAddress: sealed ? await orNull(openAddress(encryption, sealed, `payment:${id}`)) : null,
    })),
  )
}

/** Sellers see the address only of payments that reached escrow, because only those are shipped. */
const isShownToSeller = ({ escrowHoldUntil }: Payment) => escrowHoldUntil !== null

/** The sweep erases addresses. Before it has run, they are hidden. */
function keptAddress({ deliveryAddress, endedAt }: Payment, now: Date): string | null {
  const isExpired = endedAt !== null && endedAt.getTime() + ADDRESS_KEPT_DAYS * DAY_MS <= now.getTime()
  return isExpired ? null : deliveryAddress
}

export function openHandoverCode(
  encryption: Encryption,
  { id, handoverCode }: Payment,
): Promise<string | null> {
  return handoverCode ? orNull(encryption.open(handoverCode, handoverOwner(id))) : Promise.resolve(null)
}

/** Null if DATA_KEY has changed or the row was altered. */
async function orNull<Value>(opened: Promise<Value>): Promise<Value | null> {
  try {
    return await opened
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}
