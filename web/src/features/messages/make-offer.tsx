import { MESSAGES_STALE_MS } from '@sought/contract/constants'
import type { Offer } from '@sought/contract/offers'
import { getWantedItem } from '@sought/contract/requests'
import { useState } from 'react'
import { useRead } from '../../lib/calls.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MakeOfferForm } from './make-offer-form.tsx'
import { stateOf } from './offer-state.ts'
import type { Parties } from './parties.ts'

/** The form, while the request is open; folded away as long as an offer stands. */
export function MakeOffer({ parties, offers }: { parties: Parties; offers: readonly Offer[] }) {
  const [another, setAnother] = useState(false)
  const item = useRead(
    getWantedItem,
    { params: { id: String(parties.item.id) } },
    { staleMs: MESSAGES_STALE_MS },
  ).data
  const stands = offers.some((offer) => ['pending', 'accepted'].includes(stateOf(offer, new Date())))
  if (!item) return null
  if (item.status !== 'open') return <Notice>This request is no longer open.</Notice>
  if (stands && !another) {
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setAnother(true)}>
        Make Another Offer
      </Button>
    )
  }
  return <MakeOfferForm item={item} onSent={() => setAnother(false)} />
}
