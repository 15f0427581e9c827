import {
  editWantedItem,
  getWantedItem,
  listOwnWantedItems,
  listWantedItems,
  type WantedItem,
} from '@sought/contract/requests'
import { useSend } from '../../lib/calls.ts'
import { toast } from '../../lib/toasts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RequestForm } from './request-form.tsx'

/** The form that it was posted with, over the request itself. */
export function EditDialog({ item, onClose }: { item: WantedItem; onClose: () => void }) {
  const send = useSend(editWantedItem, { refreshes: [getWantedItem, listWantedItems, listOwnWantedItems] })
  return (
    <Dialog open onOpenChange={onClose} title="Edit Request">
      <RequestForm
        initial={item}
        submitLabel="Save Changes"
        busy={send.isPending}
        refused={send.error}
        onSubmit={(body) =>
          send.mutate(
            { params: { id: String(item.id) }, body },
            {
              onSuccess: () => {
                onClose()
                toast({ title: 'Success!', description: 'Your changes are on the board.' })
              },
              onError: () =>
                toast({
                  title: 'Error',
                  description: 'Your changes could not be saved. Please try again.',
                  variant: 'destructive',
                }),
            },
          )
        }
      />
    </Dialog>
  )
}
