import type { Offer } from '@sought/contract/offers'

/** The delivery method of an offer or a deal. */
export function describeDelivery({ delivery, shipWithinDays }: Pick<Offer, 'delivery' | 'shipWithinDays'>) {
  switch (delivery) {
    case 'shipping':
      return `Ships within ${formatDays(shipWithinDays ?? 0)} of payment`
    case 'in_person':
      return 'Handover in person'
    case 'arranged':
      return 'Delivery to be arranged'
  }
}

export const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)
