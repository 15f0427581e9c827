import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import { paths } from '@sought/contract/paths'
import type { ViewedWantedItem, WantedItem } from '@sought/contract/requests'
import { changeRefusal } from '@sought/escrow/reservation'
import { lazy, Suspense, useState } from 'react'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { describeInterest } from '../../shared/requests/describe-interest.ts'
import { useCloseRequest, useRenewRequest, useReopenRequest } from '../../shared/requests/request-actions.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

const EditDialog = lazy(async () => ({
  default: (await import('../../shared/request-form/edit-dialog.tsx')).EditDialog,
}))

/** Shown to the owner of a request instead of 'Contact Buyer'. */
export function OwnerActions({ item }: { item: ViewedWantedItem }) {
  const { views, contacts } = item
  return (
    <>
      {views !== undefined && contacts !== undefined && (
        <p className="text-ink-soft tabular-nums">{describeInterest({ views, contacts })}</p>
      )}
      <Changes item={item} />
    </>
  )
}

function Changes({ item }: { item: WantedItem }) {
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
        {item.status === 'closed' ? <ReopenButton item={item} /> : <CloseButton item={item} />}
      </div>
      {isEnding(item, new Date()) && <RenewButton item={item} />}
      {item.status === 'closed' && repost}
      {isEditing && (
        <Suspense>
          <EditDialog item={item} onClose={() => setIsEditing(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the owner is asked to renew the request: it has expired, or is in its last week. */
function isEnding({ status, expiresAt }: WantedItem, now: Date): boolean {
  const noticeMs = EXPIRY_NOTICE_DAYS * 86_400_000
  return status === 'expired' || (status === 'open' && Date.parse(expiresAt) - noticeMs <= now.getTime())
}

function RenewButton({ item }: { item: WantedItem }) {
  const { run, isPending } = useRenewRequest()
  return (
    <Button busy={isPending} onClick={() => void run({ params: { id: String(item.id) } })}>
      Renew for {REQUEST_OPEN_DAYS} Days
    </Button>
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
