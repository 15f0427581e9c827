import { listOffers } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import {
  closeWantedItem,
  getWantedItem,
  listOwnWantedItems,
  listWantedItems,
  reopenWantedItem,
  type WantedItem,
} from '@sought/contract/requests'
import { changeRefusal } from '@sought/escrow/reservation'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useSignInAgain } from './use-sign-in-again.ts'

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }))

/** Shown to the owner of a request instead of 'Contact Buyer'. */
export function OwnerPanel({ item }: { item: WantedItem }) {
  const [isEditing, setIsEditing] = useState(false)
  if (changeRefusal(item.status)) return <OfferList item={item} />
  return (
    <>
      <OfferList item={item} />
      <div className="grid grid-cols-2 gap-3">
        <Button variant="secondary" onClick={() => setIsEditing(true)}>
          Edit
        </Button>
        {item.status === 'open' ? <CloseButton item={item} /> : <ReopenButton item={item} />}
      </div>
      {isEditing && (
        <Suspense>
          <EditDialog item={item} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </>
  )
}

const refreshes = [getWantedItem, listWantedItems, listOwnWantedItems]

function CloseButton({ item }: { item: WantedItem }) {
  const { run, isPending } = useAction(closeWantedItem, {
    failure: 'The request could not be closed. Please try again.',
    refreshes,
    onSignedOut: useSignInAgain(),
  })
  return (
    <ConfirmDialog
      title="Close this request?"
      description="Sellers will no longer find it. You can reopen it at any time."
      confirmLabel="Close Request"
      onConfirm={() => void run({ params: { id: String(item.id) } })}
      trigger={
        <Button variant="secondary" busy={isPending}>
          Close
        </Button>
      }
    />
  )
}

function ReopenButton({ item }: { item: WantedItem }) {
  const { run, isPending } = useAction(reopenWantedItem, {
    failure: 'The request could not be reopened. Please try again.',
    refreshes,
    onSignedOut: useSignInAgain(),
  })
  return (
    <Button busy={isPending} onClick={() => void run({ params: { id: String(item.id) } })}>
      Reopen
    </Button>
  )
}

function OfferList({ item }: { item: WantedItem }) {
  const currency = useCurrency()
  const offers = useRead(listOffers, { query: { wantedItemId: String(item.id) } })
  const itemOffers = offers.data ?? []
  return (
    <Card>
      <h2 className="font-strong">Offers so far</h2>
      {itemOffers.length === 0 ? (
        <p className="mt-1 text-ink-soft">No offers yet. Sellers who have it will message you.</p>
      ) : (
        <ul className="mt-2 grid">
          {itemOffers.map((offer) => (
            <li
              key={offer.id}
              className="flex justify-between gap-4 border-line border-t py-2 first:border-t-0"
            >
              <span className="min-w-0 truncate">{offer.seller.name}</span>
              <span className="font-strong tabular-nums">{formatCents(offer.amount, currency)}</span>
            </li>
          ))}
        </ul>
      )}
      {itemOffers.length > 0 && (
        <Button asChild variant="quiet" size="sm" className="mt-2 -ml-3">
          <Link href={paths.messages({ itemId: item.id })}>Answer in Messages</Link>
        </Button>
      )}
    </Card>
  )
}
