import type { Offer } from '@sought/contract/offers'
import { plural } from '../../format/plural.ts'

/** The delivery method of an offer or a deal. */
export function describeDelivery({ delivery, shipWithinDays }: Pick<Offer, 'delivery' | 'shipWithinDays'>) {
  switch (delivery) {
    case 'shipping':
      return `Ships within ${plural(shipWithinDays ?? 0, 'day')} of payment`
    case 'in_person':
      return 'Handover in person'
    case 'arranged':
      return 'Delivery to be arranged'
  }
}
