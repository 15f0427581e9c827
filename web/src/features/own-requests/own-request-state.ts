import type { OwnRequest } from '@sought/contract/own-requests'
import { paths } from '@sought/contract/paths'
import { describeWaitShort } from '../../shared/deals/payment-status.ts'
import { requestStates } from '../../shared/requests/request-status.ts'
import type { BadgeTone } from '../../ui/display/badge.tsx'

/** The state of a request in words. */
export function describeState(request: OwnRequest): { label: string; tone: BadgeTone } {
  const { status, nextStep, deal } = request
  if (nextStep === 'view_dispute') return { label: 'Reserved, in dispute', tone: 'danger' }
  if (deal?.waitingUntil) return { label: describeWaitShort(deal.waitingUntil), tone: 'attention' }
  if (status === 'reserved') return { label: 'Reserved, payment in escrow', tone: 'neutral' }
  if (nextStep === 'pay') return { label: 'Offer accepted, not paid yet', tone: 'attention' }
  if (deal?.paymentStatus === 'pending' && deal.isSubmitted && ['open', 'expired'].includes(status)) {
    return { label: 'Payment is being processed', tone: 'accent' }
  }
  if (request.isHidden) return { label: 'Hidden by our moderators', tone: 'danger' }
  return requestStates[status]
}

/** The link of the next step. Null if it is not a link. */
export function getNextLink(request: OwnRequest): { label: string; to: string } | null {
  const { id, title, nextStep, offerCount, deal } = request
  const paymentId = deal?.paymentId ?? 0
  switch (nextStep) {
    case 'pay':
      return deal && { label: 'Proceed to Payment', to: checkoutPath(id, deal) }
    case 'confirm_delivery':
      return { label: 'Confirm Delivery', to: paths.delivery(paymentId) }
    case 'answer_offers':
      return { label: offerCount === 1 ? 'View Offer' : 'Compare Offers', to: paths.item(id) }
    case 'read_messages':
      return { label: 'Read Messages', to: paths.messages({ itemId: id }) }
    case 'view_dispute':
      return { label: 'View Dispute', to: paths.dispute(paymentId) }
    case 'rate':
      return (
        deal && {
          label: 'Rate Seller',
          to: paths.rating({
            paymentId,
            sellerName: deal.seller.name,
            itemTitle: title,
            amount: deal.amount,
          }),
        }
      )
    case 'repost':
      return { label: 'Post Again', to: paths.post({ repost: id }) }
    case 'renew':
    case 'none':
      return null
  }
}

const checkoutPath = (itemId: number, { offerId, amount }: NonNullable<OwnRequest['deal']>) =>
  paths.escrowCheckout({ itemId, offerId, amount })
