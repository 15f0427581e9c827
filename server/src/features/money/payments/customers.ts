import type { Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { users } from '../../../database/schema.ts'
import type { CardProvider } from '../../../providers/stripe/card-provider.ts'
import { enqueue } from '../../../runtime/jobs.ts'
import type { Services } from '../../../services.ts'
import * as queries from './queries.ts'

/* A buyer has one customer at the provider, which keeps their payments together there. */

type Buyer = Pick<typeof users.$inferSelect, 'id' | 'createdAt' | 'stripeCustomerId'>

/** Creates the customer with the first payment. Concurrent calls get the same one. */
export async function findOrCreateCustomer(
  { database }: Pick<Services, 'database'>,
  cards: CardProvider,
  { stripeCustomerId, ...buyer }: Buyer,
): Promise<string> {
  if (stripeCustomerId) return stripeCustomerId
  const customerId = await cards.createCustomer(buyer)
  await database.transact(async (tx) => {
    // The account may have been deleted in the meantime.
    if (!(await queries.setCustomer(tx, buyer.id, customerId))) await enqueueDeletion(tx, customerId)
  })
  return customerId
}

/** Deletes the provider's customer of a user whose account is being deleted. */
export async function deleteCustomerOf(tx: Tx, userId: string): Promise<void> {
  const user = await findRow(tx, users, { id: userId }, ['stripeCustomerId'])
  if (user?.stripeCustomerId) await enqueueDeletion(tx, user.stripeCustomerId)
}

const enqueueDeletion = (tx: Tx, customerId: string) =>
  enqueue(tx, 'delete-customer', { customerId }, `delete-customer:${customerId}`)

export async function deleteCustomer({ cards }: Pick<Services, 'cards'>, customerId: string): Promise<void> {
  await cards?.deleteCustomer(customerId)
}
