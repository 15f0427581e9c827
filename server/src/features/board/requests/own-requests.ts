import { RENEW_AFTER_DAYS } from '@sought/contract/constants'
import type { OwnRequest } from '@sought/contract/own-requests'
import type { PaymentStatus } from '@sought/escrow/payment-status'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { reviewableSince } from '../../users/review-window.ts'
import { presentItem, renewableAt } from './actions.ts'
import { interestIn } from './interest.ts'
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
              waitingUntil: deal.waiting_until === null ? null : new Date(deal.waiting_until),
            }
          : null,
    }
  })
}

function indexById<Id, Row extends { id: Id }>(rows: readonly Row[]): Map<Id, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

interface RankedPage {
  limit: number
  cursor?: number | undefined
}

interface ProgressRow extends Record<string, unknown> {
  id: number
  /** A bigint, which the driver returns as text. */
  rank: string
  is_waiting: boolean
  is_hidden: boolean
  next_step: OwnRequest['nextStep']
  offer_count: number
  unread_count: number
  deal: {
    offer_id: number
    amount: number
    payment_id: number | null
    payment_status: PaymentStatus | null
    is_submitted: boolean
    waiting_until: string | null
    seller_id: string
  } | null
}

/**
 * The state of a user's requests. Those that wait for the user come first. Offers and messages are counted in one
 * pass for all requests.
 */
async function findProgress(db: Db, userId: string, now: Date, { limit, cursor }: RankedPage) {
  const at = sql`${now.toISOString()}::timestamptz`
  const since = sql`${reviewableSince(now).toISOString()}::timestamptz`
  const { rows } = await db.execute<ProgressRow>(sql`
    with progress as (
      select item.id, item.hidden_at is not null as is_hidden, to_json(deal) as deal, coalesce(offers.count, 0) as offer_count,
        coalesce(unread.count, 0) as unread_count,
        case
          when deal.payment_status = 'held_in_escrow' then 'confirm_delivery'
          when deal.payment_status in ('disputed', 'under_review') then 'view_dispute'
          when deal.waits_for = 'buyer' then 'pay'
          when item.status in ('open', 'expired') and deal.offer_id is not null
            and coalesce(deal.payment_status, 'pending') = 'pending' and not deal.is_submitted then 'pay'
          when item.status = 'open' and item.expires_at > ${at} and offers.count > 0 then 'answer_offers'
          when unread.count > 0 then 'read_messages'
          when deal.payment_status = 'completed' and deal.is_reviewable then 'rate'
          when item.hidden_at is not null then 'none'
          when item.status in ('closed', 'fulfilled') then 'repost'
          when coalesce(item.renewed_at, item.created_at) + make_interval(days => ${RENEW_AFTER_DAYS}) <= ${at}
            then 'renew'
          else 'none'
        end as next_step
      from wanted_items item
      left join (
        select wanted_item_id, count(*)::int as count from offers
        where buyer_id = ${userId} and status = 'pending' and proposed_by = 'seller' and expires_at > ${at}
        group by wanted_item_id
      ) offers on offers.wanted_item_id = item.id
      left join (
        select wanted_item_id, count(*)::int as count from messages
        where receiver_id = ${userId} and not is_read
        group by wanted_item_id
      ) unread on unread.wanted_item_id = item.id
      left join (
        -- The deal whose money is held, otherwise the latest one that was agreed and not refunded.
        select distinct on (offer.wanted_item_id) offer.wanted_item_id, offer.id as offer_id, offer.amount,
          offer.seller_id, payment.id as payment_id, payment.status as payment_status,
          payment.submitted_at is not null as is_submitted, payment.waiting_until, payment.waits_for,
          review.id is null and coalesce(least(payment.completed_at, payment.ended_at), payment.updated_at) > ${since} as is_reviewable
        from offers offer
        left join payments payment on payment.offer_id = offer.id
        left join reviews review on review.payment_id = payment.id and review.author_id = offer.buyer_id
        where offer.buyer_id = ${userId} and offer.status = 'accepted'
          and coalesce(payment.status, 'pending') not in ('resolved_buyer', 'refunded')
        order by offer.wanted_item_id,
          coalesce(payment.status in ('held_in_escrow', 'disputed', 'under_review'), false) desc, offer.id desc
      ) deal on deal.wanted_item_id = item.id
      where item.user_id = ${userId}
    ), ranked as (
      select *, next_step in ('pay', 'confirm_delivery', 'answer_offers', 'read_messages') as is_waiting
      from progress
    )
    select * from (
      select *, id + case when is_waiting then 2147483648 else 0 end as rank from ranked
    ) listed
    ${cursor === undefined ? sql`` : sql`where rank < ${cursor}::bigint`}
    order by rank desc limit ${limit}`)
  return rows
}
