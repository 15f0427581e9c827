import { deleteDeliveryAddress, getDeliveryAddress, saveDeliveryAddress } from '@sought/contract/addresses'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { AddressEntry, AddressFields, addressValues } from '../../../shared/addresses/address-form.tsx'
import { AddressLines } from '../../../shared/addresses/address-lines.tsx'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

const DEFAULT_COUNTRY = 'US'

/** The address that is filled in at checkout. */
export function SavedAddress() {
  const saved = useRead(getDeliveryAddress)
  const [isEditing, setIsEditing] = useState(false)
  return (
    <Loaded query={saved} loading={<Skeleton className="h-28" />}>
      {({ deliveryAddress }) => {
        if (isEditing) return <EditAddress initial={deliveryAddress} onClose={() => setIsEditing(false)} />
        if (deliveryAddress) return <Shown address={deliveryAddress} onEdit={() => setIsEditing(true)} />
        return (
          <div className="grid justify-items-start gap-4">
            <p className="text-ink-soft">You haven't saved an address yet.</p>
            <Button variant="secondary" onClick={() => setIsEditing(true)}>
              Add address
            </Button>
          </div>
        )
      }}
    </Loaded>
  )
}

function Shown({ address, onEdit }: { address: DeliveryAddress; onEdit: () => void }) {
  const { run, isPending } = useAction(deleteDeliveryAddress, {
    success: { title: 'Address deleted' },
    failure: explainFailure('Failed to delete address'),
  })
  return (
    <div className="grid gap-4">
      <AddressLines address={address} />
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onEdit}>
          Edit address
        </Button>
        <ConfirmDialog
          title="Delete this address?"
          description="You can enter an address again at your next checkout. Sellers of your open deals still see the one you gave them."
          confirmLabel="Delete address"
          tone="danger"
          busy={isPending}
          onConfirm={() => void run()}
          trigger={<Button variant="quiet">Delete</Button>}
        />
      </div>
    </div>
  )
}

function EditAddress({ initial, onClose }: { initial: DeliveryAddress | null; onClose: () => void }) {
  const form = useContractForm(saveDeliveryAddress, {
    schema: AddressEntry,
    values: addressValues(initial, DEFAULT_COUNTRY),
    success: { title: 'Address saved' },
    failure: explainFailure('Failed to save address'),
    onSuccess: onClose,
  })
  return (
    <Form
      form={form}
      name="Delivery address"
      className="gap-6"
      submitLabel="Save address"
      aside={
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <AddressFields form={form} />
    </Form>
  )
}
