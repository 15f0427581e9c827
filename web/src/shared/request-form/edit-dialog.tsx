import { editWantedItem, type WantedItem } from '@sought/contract/requests'
import { useAction } from '../../data/use-action.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useSignInAgain } from '../requests/use-sign-in-again.ts'
import { RequestForm } from './request-form.tsx'

export function EditDialog({ item, onClose }: { item: WantedItem; onClose: () => void }) {
  const signInAgain = useSignInAgain()
  const { run, isPending, error } = useAction(editWantedItem, {
    success: { title: 'Success!', description: 'Your changes are saved.' },
    failure: 'Your changes could not be saved. Please try again.',
    onDone: onClose,
    onSignedOut: signInAgain,
  })
  return (
    <Dialog open onOpenChange={onClose} title="Edit Request">
      <RequestForm
        initial={item}
        ownCategory={item.category}
        submitLabel="Save Changes"
        busy={isPending}
        error={error}
        onSubmit={(body) => void run({ params: { id: String(item.id) }, body })}
      />
    </Dialog>
  )
}
