import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { listOffers } from '@sought/contract/offers'
import { useState } from 'react'
import { useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { isOfferFor, type Order } from './order.ts'

export interface EnteredAddress {
  deliveryAddress: DeliveryAddress
  saveAddress: boolean
}

/** The first step of the checkout: the buyer enters the address if the item is shipped. */
export function useDeliveryStep(order: Order) {
  const offers = useRead(listOffers, { query: { wantedItemId: String(order.itemId) } })
  const offer = offers.data?.find((it) => isOfferFor(order, it))
  const [address, setAddress] = useState<EnteredAddress | null>(null)
  const [isEditing, setIsEditing] = useState(false)
  const isAsking = isEditing || (offer?.delivery === 'shipping' && address === null)
  return {
    offer,
    isLoading: offers.isPending,
    address,
    isAsking,
    /** Whether the payment can be started. */
    isDone: !offers.isPending && !isAsking,
    enter: (entered: EnteredAddress) => {
      setAddress(entered)
      setIsEditing(false)
    },
    edit: () => setIsEditing(true),
  }
}

/** Whether the server refused the address. The form then shows why. */
export function isAddressRefused(error: CallError | null): boolean {
  return error?.issues.some(({ path }) => path.startsWith('deliveryAddress')) ?? false
}
