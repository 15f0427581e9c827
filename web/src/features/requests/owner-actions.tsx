import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import { changeRefusal } from '@sought/escrow/reservation'
import { lazy, Suspense, useState } from 'react'
import { LinkButton } from '../../lib/error-page.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useCloseRequest, useReopenRequest } from './request-actions.ts'

const EditDialog = lazy(async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog }))

/** Shown to the owner of a request instead of 'Contact Buyer'. */
export function OwnerActions({ item }: { item: WantedItem }) {
  const [isEditing, setIsEditing] = useState(false)
  const repost = (
    <LinkButton to={paths.post({ repost: item.id })} variant="secondary">
      Post Again
    </LinkButton>
  )
  if (changeRefusal(item.status)) return item.status === 'fulfilled' ? repost : null
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="secondary" onClick={() => setIsEditing(true)}>
          Edit
        </Button>
        {item.status === 'open' ? <CloseButton item={item} /> : <ReopenButton item={item} />}
      </div>
      {item.status === 'closed' && repost}
      {isEditing && (
        <Suspense>
          <EditDialog item={item} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </>
  )
}

function CloseButton({ item }: { item: WantedItem }) {
  const { run, isPending } = useCloseRequest()
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
  const { run, isPending } = useReopenRequest()
  return (
    <Button busy={isPending} onClick={() => void run({ params: { id: String(item.id) } })}>
      Reopen
    </Button>
  )
}
