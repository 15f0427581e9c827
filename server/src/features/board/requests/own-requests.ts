import type { Db } from '../../../database/database.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { presentItem, renewableAt } from './actions.ts'
import { interestIn } from './interest.ts'
import { findProgress, type RankedPage } from './own-requests-queries.ts'
import * as queries from './queries.ts'
import type { ViewCounter } from './view-counter.ts'

/** A user's requests with the possible next steps. Those that wait for the user come first. */
export async function ownRequestsOf(
  db: Db,
  counter: ViewCounter,
  userId: string,
  now: Date,
  page: RankedPage,
) {
  const progress = await findProgress(db, userId, now, page)
  const ids = progress.map(({ id }) => id)
  const items = indexById(await queries.findItemsById(db, ids))
  const interest = await interestIn(db, counter, ids)
  const sellers = indexById(
    await queries.findUsers(
      db,
      progress.flatMap(({ deal }) => deal?.seller_id ?? []),
    ),
  )
  return progress.flatMap(({ deal, ...row }) => {
    const item = items.get(row.id)
    const seller = deal && sellers.get(deal.seller_id)
    if (!item) return []
    return {
      ...presentItem(item, now),
      rank: Number(row.rank),
      isWaiting: row.is_waiting,
      isHidden: row.is_hidden,
      nextStep: row.next_step,
      offerCount: row.offer_count,
      unreadCount: row.unread_count,
      views: 0,
      contacts: 0,
      ...interest.get(row.id),
      renewableAt: renewableAt(item),
      deal:
        deal && seller
          ? {
              offerId: deal.offer_id,
              amount: deal.amount,
              seller: asPublicUser(seller),
              paymentId: deal.payment_id,
              paymentStatus: deal.payment_status,
              isSubmitted: deal.is_submitted,
            }
          : null,
    }
  })
}

function indexById<Id, Row extends { id: Id }>(rows: readonly Row[]): Map<Id, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
