import {
  CARRIERS,
  getCarrierName,
  isTrackingNumber,
  normalizeTrackingNumber,
} from '@sought/contract/carriers'
import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { shipItem } from '@sought/contract/deliveries'
import type { PaymentDetails } from '@sought/contract/payments'
import { HOLD_DAYS_AFTER_SHIPPING } from '@sought/escrow/delivery'
import { type FormEvent, useState } from 'react'
import { explainFailure } from '../../data/use-action.ts'
import { useUploadAction } from '../../data/use-upload-action.ts'
import { OneFileField } from '../../shared/forms/one-file-field.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

const NOTE_MAX_LENGTH = 500

const carrierOptions = CARRIERS.map((carrier) => ({ value: carrier, label: getCarrierName(carrier) }))

interface Props {
  deal: PaymentDetails
  /** Closes the form of a correction. */
  onClose?: () => void
}

/** Reports the shipment, or corrects it until the parcel has arrived. */
export function ShipForm({ deal, onClose }: Props) {
  const isCorrection = deal.shippedAt !== null
  const [carrier, setCarrier] = useState<string>(deal.carrier ?? '')
  const [number, setNumber] = useState(deal.trackingNumber ?? '')
  const [note, setNote] = useState(deal.shipmentNote ?? '')
  const [photo, setPhoto] = useState<File | null>(null)
  const [isChecked, setIsChecked] = useState(false)
  const { run, isPending } = useUploadAction(shipItem, {
    success: isCorrection
      ? { title: 'Shipment updated', description: `${deal.buyer.name} sees the new details.` }
      : { title: 'Marked as shipped', description: `We have told ${deal.buyer.name}.` },
    failure: explainFailure('The shipment was not saved'),
  })
  const errors = findErrors(carrier, number)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setIsChecked(true)
    if (errors.carrier || errors.number) return
    const fields = { carrier, trackingNumber: normalizeTrackingNumber(number), note: note.trim() }
    if (await run({ params: { id: String(deal.id) }, file: photo, fields })) onClose?.()
  }
  return (
    <form
      noValidate
      aria-label={isCorrection ? 'Correct the shipment' : 'Ship the item'}
      onSubmit={submit}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2">
        <Select
          label="Carrier"
          placeholder="Choose a carrier"
          options={carrierOptions}
          value={carrier}
          error={isChecked ? errors.carrier : undefined}
          onChange={({ target }) => setCarrier(target.value)}
        />
        <TextField
          label="Tracking number"
          optional
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={number}
          error={isChecked ? errors.number : undefined}
          onChange={({ target }) => setNumber(target.value)}
        />
      </div>
      <TextArea
        label="Note to the buyer"
        optional
        rows={2}
        maxLength={NOTE_MAX_LENGTH}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <OneFileField
        label="Photo of the parcel or the label"
        optional
        hint="It helps you if there is a dispute."
        accept="image/*"
        maxBytes={IMAGE_MAX_BYTES}
        file={photo}
        onFile={setPhoto}
      />
      {!isCorrection && (
        <p className="text-fine text-ink-soft">
          After that, {deal.buyer.name} has at least {HOLD_DAYS_AFTER_SHIPPING} days to receive and check the
          item. The deal can no longer be cancelled.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isPending}>
          {isCorrection ? 'Save Changes' : 'Mark as Shipped'}
        </Button>
        {onClose && (
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

function findErrors(carrier: string, number: string) {
  const isNumber = number.trim() === '' || isTrackingNumber(normalizeTrackingNumber(number))
  return {
    carrier: carrier === '' ? 'Choose a carrier' : undefined,
    number: isNumber ? undefined : 'Enter 5 to 40 letters and digits, as on the label',
  }
}
