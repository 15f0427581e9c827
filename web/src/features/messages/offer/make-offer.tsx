import type { WantedItem } from '@sought/contract/requests'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'

const MakeOfferForm = lazy(() => import('./make-offer-form.tsx'))

/** The make-offer form, behind a button while the seller has an active offer. */
export function MakeOffer({ item, hasActiveOffer }: { item: WantedItem; hasActiveOffer: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  if (hasActiveOffer && !isOpen) {
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Make Another Offer
      </Button>
    )
  }
  return (
    <Suspense fallback={<Skeleton className="h-96" />}>
      <MakeOfferForm item={item} onSent={() => setIsOpen(false)} />
    </Suspense>
  )
}
