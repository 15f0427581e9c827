import { getDeliveryAddress } from '@sought/contract/addresses'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { useEffect, useEffectEvent, useState } from 'react'
import { useRead } from '../../data/calls.ts'
import type { CallError } from '../../data/client.ts'
import { AddressEntry, AddressFields, addressValues } from '../../shared/addresses/address-form.tsx'
import { useEntryForm } from '../../shared/forms/entry-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { AddressStepSkeleton } from './card-form-skeleton.tsx'
import type { EnteredAddress } from './use-delivery-step.ts'

const DEFAULT_COUNTRY = 'US'

/** The path of the address in the body of the call that starts the payment. */
const FIELD_PREFIX = 'deliveryAddress.'

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
  const form = useEntryForm({
    schema: AddressEntry,
    values: addressValues(entered?.deliveryAddress ?? saved, DEFAULT_COUNTRY),
    onSubmit: (deliveryAddress) => onEntered({ deliveryAddress, saveAddress: isSaved }),
  })
  const [isSaved, setIsSaved] = useState(entered?.saveAddress ?? saved === null)
  const showRefusal = useEffectEvent(({ issues }: CallError) =>
    form.showIssues(
      issues.flatMap(({ path, message }) =>
        path.startsWith(FIELD_PREFIX) ? [{ path: path.slice(FIELD_PREFIX.length), message }] : [],
      ),
    ),
  )
  useEffect(() => {
    if (error) showRefusal(error)
  }, [error])
  return (
    <Form
      form={form}
      name="Delivery address"
      className="gap-6"
      submitLabel="Continue to Payment"
      size="lg"
      wide
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
    </Form>
  )
}
