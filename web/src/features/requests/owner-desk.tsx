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
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useRead, useSend } from '../../lib/calls.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }))

/** What the owner of a request sees in place of 'Contact Buyer'. */
export function OwnerDesk({ item }: { item: WantedItem }) {
  const [editing, setEditing] = useState(false)
  if (item.status === 'fulfilled') return <OffersSoFar item={item} />
  return (
    <>
      <OffersSoFar item={item} />
      <div className="grid grid-cols-2 gap-3">
        <Button variant="secondary" onClick={() => setEditing(true)}>
          Edit
        </Button>
        {item.status === 'open' ? <CloseButton item={item} /> : <ReopenButton item={item} />}
      </div>
      {editing && (
        <Suspense>
          <EditDialog item={item} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
}

const touched = [getWantedItem, listWantedItems, listOwnWantedItems]

const failed = () =>
  toast({ title: 'Error', description: 'That did not work. Please try again.', variant: 'destructive' })

function CloseButton({ item }: { item: WantedItem }) {
  const send = useSend(closeWantedItem, { refreshes: touched })
  const close = () => send.mutate({ params: { id: String(item.id) } }, { onError: failed })
  return (
    <ConfirmDialog
      title="Take this request off the board?"
      description="Sellers will no longer find it. You can put it back at any time."
      confirmLabel="Close Request"
      onConfirm={close}
      trigger={
        <Button variant="secondary" busy={send.isPending}>
          Close
        </Button>
      }
    />
  )
}

function ReopenButton({ item }: { item: WantedItem }) {
  const send = useSend(reopenWantedItem, { refreshes: touched })
  return (
    <Button
      busy={send.isPending}
      onClick={() => send.mutate({ params: { id: String(item.id) } }, { onError: failed })}
    >
      Reopen
    </Button>
  )
}

function OffersSoFar({ item }: { item: WantedItem }) {
  const currency = useCurrency()
  const offers = useRead(listOffers)
  const mine = (offers.data ?? []).filter((offer) => offer.wantedItemId === item.id)
  return (
    <Card>
      <h2 className="font-strong">Offers so far</h2>
      {mine.length === 0 ? (
        <p className="mt-1 text-ink-soft">None yet. Sellers who have it will write to you.</p>
      ) : (
        <ul className="mt-2 grid">
          {mine.map((offer) => (
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
      {mine.length > 0 && (
        <Button asChild variant="quiet" size="sm" className="mt-2 -ml-3">
          <Link href={paths.messages({ itemId: item.id })}>Answer them in Messages</Link>
        </Button>
      )}
    </Card>
  )
}
