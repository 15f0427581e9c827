import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { payoutAccounts } from '../../database/schema.ts'

type Column = 'id' | 'stripeConnectAccountId' | 'bankAccountDetails' | 'payoutsWaitUntil'

/**
 * Whether a seller who could be paid cannot be paid any more: their account does not receive money, or they have none
 * since it was closed or removed. Sellers who have not set up payouts yet are none of these.
 */
export const payoutsStopped = (seller: Record<Column, PgColumn>): SQL<boolean> => sql`(
  ${seller.bankAccountDetails} is null and case
    when ${seller.stripeConnectAccountId} is null then ${seller.payoutsWaitUntil} is not null
    else exists (
      select from ${payoutAccounts} account
      where account.user_id = ${seller.id} and account.account_id = ${seller.stripeConnectAccountId}
        and account.details_submitted and not account.can_receive
    )
  end)`
