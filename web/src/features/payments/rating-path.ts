import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'

/** What was chosen on the delivery screen, handed on so that nobody has to say it twice. */
export interface DraftRating {
  rating: number
  feedback: string
}

type Rateable = Pick<PaymentWithItem, 'id' | 'seller' | 'wantedItem' | 'amount'>

/** The rating screen of a payment, with what it shows in the address, as spec §2 has it. */
export function ratingPath({ id, seller, wantedItem, amount }: Rateable): string {
  return paths.rating({ paymentId: id, sellerName: seller.name, itemTitle: wantedItem.title, amount })
}
