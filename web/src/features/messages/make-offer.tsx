import type { WantedItem } from '@sought/contract/requests'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { MakeOfferForm } from './make-offer-form.tsx'

/** The form, folded away as long as an offer stands. */
export function MakeOffer({ item, stands }: { item: WantedItem; stands: boolean }) {
  const [another, setAnother] = useState(false)
  if (stands && !another) {
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setAnother(true)}>
        Make Another Offer
      </Button>
    )
  }
  return <MakeOfferForm item={item} onSent={() => setAnother(false)} />
}
