import { editWantedItem, type WantedItem } from '@sought/contract/requests'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useSignInAgain } from '../requests/use-sign-in-again.ts'
import { RequestForm } from './request-form.tsx'

export function EditDialog({ item, onClose }: { item: WantedItem; onClose: () => void }) {
  const signInAgain = useSignInAgain()
  return (
    <Dialog open onOpenChange={onClose} title="Edit Request">
      <RequestForm
        call={editWantedItem}
        input={(body) => ({ params: { id: String(item.id) }, body })}
        outcome={{
          success: { title: 'Success!', description: 'Your changes are saved.' },
          failure: 'Your changes could not be saved. Please try again.',
          onDone: onClose,
          onSignedOut: signInAgain,
        }}
        initial={item}
        ownCategory={item.category}
        submitLabel="Save Changes"
      />
    </Dialog>
  )
}
