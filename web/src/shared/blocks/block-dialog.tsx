import type { PublicUser } from '@sought/contract/accounts'
import { block } from '@sought/contract/reports'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

interface Props {
  person: Pick<PublicUser, 'id' | 'name'>
  onClose: () => void
}

/** Asks before blocking a person, and explains the effect. */
export default function BlockDialog({ person, onClose }: Props) {
  const { run, isPending } = useAction(block, {
    success: { title: `${person.name} is blocked` },
    failure: explainFailure('The person was not blocked'),
    onDone: onClose,
    onSignedOut: onClose,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Block ${person.name}?`}
      description="You can no longer send each other messages or offers, and you get no notifications about each other. Open deals continue. We do not tell them. You can unblock them at any time."
      confirmLabel="Block"
      tone="danger"
      busy={isPending}
      onConfirm={() => void run({ params: { userId: person.id } })}
    />
  )
}
