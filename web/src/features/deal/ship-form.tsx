import { CARRIERS, getCarrierName } from '@sought/contract/carriers'
import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { SHIPMENT_NOTE_MAX_LENGTH, Shipment, shipItem } from '@sought/contract/deliveries'
import type { PaymentDetails } from '@sought/contract/payments'
import { HOLD_DAYS_AFTER_SHIPPING } from '@sought/escrow/delivery'
import * as z from 'zod/mini'
import { upload } from '../../data/upload.ts'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { OneFileField } from '../../shared/forms/one-file-field.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'

const carrierOptions = CARRIERS.map((carrier) => ({ value: carrier, label: getCarrierName(carrier) }))

interface Props {
  deal: PaymentDetails
  /** Closes the form of a correction. */
  onClose?: () => void
}

/** Reports the shipment, or corrects it until the parcel has arrived. */
export function ShipForm({ deal, onClose }: Props) {
  const isCorrection = deal.shippedAt !== null
  const form = useContractForm(shipItem, {
    schema: z.extend(Shipment, { photo: z.nullable(z.file()) }),
    values: {
      carrier: CARRIERS.find((it) => it === deal.carrier),
      trackingNumber: deal.trackingNumber ?? '',
      note: deal.shipmentNote ?? '',
      photo: null,
    },
    send: ({ photo, carrier, trackingNumber = '', note = '' }) =>
      upload(shipItem, { params: { id: String(deal.id) } }, photo, {
        fields: { carrier, trackingNumber, note },
      }),
    success: isCorrection
      ? { title: 'Shipment updated', description: `${deal.buyer.name} sees the new details.` }
      : { title: 'Marked as shipped', description: `We have told ${deal.buyer.name}.` },
    failure: explainFailure('The shipment was not saved'),
    onSuccess: () => onClose?.(),
  })
  return (
    <Form
      form={form}
      name={isCorrection ? 'Correct the shipment' : 'Ship the item'}
      submitLabel={isCorrection ? 'Save Changes' : 'Mark as Shipped'}
      aside={
        onClose && (
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-2">
        <Select
          label="Carrier"
          placeholder="Choose a carrier"
          defaultValue=""
          options={carrierOptions}
          {...form.field('carrier')}
        />
        <TextField
          label="Tracking number"
          optional
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.field('trackingNumber')}
        />
      </div>
      <TextArea
        label="Note to the buyer"
        optional
        rows={2}
        maxLength={SHIPMENT_NOTE_MAX_LENGTH}
        {...form.field('note')}
      />
      <OneFileField
        label="Photo of the parcel or the label"
        optional
        hint="It helps you if there is a dispute."
        accept="image/*"
        maxBytes={IMAGE_MAX_BYTES}
        {...form.control('photo')}
      />
      {!isCorrection && (
        <p className="text-fine text-ink-soft">
          After that, {deal.buyer.name} has at least {HOLD_DAYS_AFTER_SHIPPING} days to receive and check the
          item. The deal can no longer be cancelled.
        </p>
      )}
    </Form>
  )
}
