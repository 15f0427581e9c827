import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'

/** Entered on the delivery screen. The rating screen shows what was sent, and prefills the rest. */
export interface DraftRating {
  rating: number
  feedback: string
  isSent: boolean
}

type Rateable = Pick<PaymentWithItem, 'id' | 'seller' | 'wantedItem' | 'amount'>

/** The URL contains everything that the rating screen shows. */
export function getRatingPath({ id, seller, wantedItem, amount }: Rateable): string {
  return paths.rating({ paymentId: id, sellerName: seller.name, itemTitle: wantedItem.title, amount })
}
