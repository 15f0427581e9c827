import { goodwillPosting } from '@sought/escrow/postings'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { payments } from '../../../database/schema.ts'
import { areActive } from '../../identity/accounts/active-users.ts'
import { notify } from '../../notifications/actions.ts'
import { post } from '../ledger/post.ts'
import { goodwillGranted } from './notifications.ts'
import type { Goodwill } from './queries.ts'
import * as queries from './queries.ts'

type Deal = Pick<typeof payments.$inferSelect, 'id' | 'buyerId' | 'sellerId' | 'currency'>

export interface NewGoodwill {
  payment: Deal
  recipient: 'buyer' | 'seller'
  amountCents: number
  reason: string
  /** The id of the admin. */
  requestedBy: string
  /** The appeal whose ruling was overturned. Each appeal has at most one goodwill payment. */
  appealId?: number
  clientId?: string | undefined
}

/** Grants a goodwill payment without a second admin. An admin pays it outside the provider. */
export async function grantGoodwill(tx: Tx, goodwill: NewGoodwill): Promise<{ id: number; status: 'done' }> {
  const granted = await insertFor(tx, goodwill, 'done')
  await bookGoodwill(tx, granted)
  return { id: granted.id, status: 'done' }
}

/** Records a goodwill payment that a second admin has to approve. Nothing is owed yet. */
export async function requestGoodwill(
  tx: Tx,
  goodwill: NewGoodwill,
): Promise<{ id: number; status: 'waiting' }> {
  const { id } = await insertFor(tx, goodwill, 'waiting')
  return { id, status: 'waiting' }
}

async function insertFor(
  tx: Tx,
  { payment, ...goodwill }: NewGoodwill,
  status: Goodwill['status'],
): Promise<Goodwill> {
  const recipientId = goodwill.recipient === 'buyer' ? payment.buyerId : payment.sellerId
  await requireActive(tx, recipientId)
  return queries.insertGoodwill(tx, {
    ...goodwill,
    paymentId: payment.id,
    currency: payment.currency,
    recipientId,
    status,
  })
}

/** Locks the recipient, so that they cannot delete their account before the money is owed to them. */
export async function requireActive(tx: Tx, recipientId: string): Promise<void> {
  if (!(await areActive(tx, [recipientId]))) throw refuse('recipient_deleted')
}

export const asPosted = ({ amountCents: amount, ...goodwill }: Goodwill) => ({ ...goodwill, amount })

/** From now on, the platform owes the money. */
export async function bookGoodwill(tx: Tx, goodwill: Goodwill): Promise<void> {
  await post(tx, goodwillPosting(asPosted(goodwill)))
  await notify(tx, goodwillGranted(goodwill))
}
