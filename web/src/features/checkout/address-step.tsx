import { getDeliveryAddress } from '@sought/contract/addresses'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { useEffect, useState } from 'react'
import { useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { AddressFields, showAddressIssues, useAddressForm } from '../../shared/addresses/address-form.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { AddressStepSkeleton } from './card-form-skeleton.tsx'
import type { EnteredAddress } from './use-delivery-step.ts'

const DEFAULT_COUNTRY = 'US'

interface Props {
  sellerName: string
  /** The address entered before. Otherwise the saved address is filled in. */
  entered: EnteredAddress | null
  /** The server's refusal. */
  error: CallError | null
  onEntered: (address: EnteredAddress) => void
}

/** Asks for the delivery address before the payment is started. */
export default function AddressStep(props: Props) {
  const saved = useRead(getDeliveryAddress)
  if (saved.isPending) return <AddressStepSkeleton />
  return <AddressForm {...props} saved={saved.data?.deliveryAddress ?? null} />
}

function AddressForm({
  sellerName,
  entered,
  error,
  onEntered,
  saved,
}: Props & { saved: DeliveryAddress | null }) {
  const form = useAddressForm(entered?.deliveryAddress ?? saved, DEFAULT_COUNTRY)
  const [isSaved, setIsSaved] = useState(entered?.saveAddress ?? saved === null)
  useEffect(() => showAddressIssues(form, error?.issues ?? []), [form, error])
  return (
    <form
      noValidate
      aria-label="Delivery address"
      onSubmit={form.handleSubmit((deliveryAddress) => onEntered({ deliveryAddress, saveAddress: isSaved }))}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      <div>
        <h2 className="font-display font-strong text-title">Where should it be sent?</h2>
        <p className="mt-1 text-ink-soft">
          Only {sellerName} sees this address, once you have paid. It is deleted 30 days after the deal ends.
        </p>
      </div>
      {error && (
        <Notice tone="danger" live title="The address was not accepted">
          Check the fields below. You were not charged.
        </Notice>
      )}
      <AddressFields form={form} />
      <Checkbox
        label="Save this address for next time"
        hint={saved ? 'It replaces the address that you saved before.' : undefined}
        checked={isSaved}
        onChange={({ target }) => setIsSaved(target.checked)}
      />
      <Button type="submit" size="lg" wide>
        Continue to Payment
      </Button>
    </form>
  )
}
