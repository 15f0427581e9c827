import type { Offer } from '@sought/contract/offers'
import { Notice } from '../../ui/feedback/notice.tsx'

/** Tells buyers, before they pay, that the seller cannot be paid at the moment. */
export function PayoutsStopped({ offer: { seller } }: { offer: Pick<Offer, 'seller'> }) {
  return (
    <Notice title={`${seller.name} can’t receive payouts right now`}>
      You can still pay: your money stays protected in escrow as usual, and {seller.name} is paid once their
      payout account works again. You may want to ask them before you pay.
    </Notice>
  )
}
