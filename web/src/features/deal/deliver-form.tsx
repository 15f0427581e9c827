import { EVIDENCE_MAX_BYTES } from '@sought/contract/constants'
import { markDelivered } from '@sought/contract/deliveries'
import type { PaymentDetails } from '@sought/contract/payments'
import { HOLD_DAYS_AFTER_DELIVERY } from '@sought/escrow/delivery'
import * as z from 'zod/mini'
import { upload } from '../../data/upload.ts'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../shared/forms/form-dialog.tsx'
import { OneFileField } from '../../shared/forms/one-file-field.tsx'
import { Button } from '../../ui/forms/button.tsx'

/** The seller reports that the parcel has arrived. Without a tracking number, this requires a file as proof. */
export function DeliverButton({ deal }: { deal: PaymentDetails }) {
  const needsProof = deal.trackingNumber === null
  const form = useContractForm(markDelivered, {
    schema: z.object({
      proof: z
        .nullable(z.file())
        .check(z.refine((proof) => proof !== null || !needsProof, 'Add a file that shows the delivery')),
    }),
    values: { proof: null },
    send: ({ proof }) => upload(markDelivered, { params: { id: String(deal.id) } }, proof),
    success: { title: 'Marked as delivered', description: `We have told ${deal.buyer.name}.` },
    failure: explainFailure('The delivery was not saved'),
  })
  return (
    <ConfirmForm
      form={form}
      title="Has the parcel arrived?"
      description={`${deal.buyer.name} then has at least ${HOLD_DAYS_AFTER_DELIVERY} days to check the item before the money is released to you. The shipment can no longer be corrected.`}
      confirmLabel="Mark as Delivered"
      trigger={<Button variant="secondary">Report Delivery</Button>}
    >
      <OneFileField
        label="Proof of delivery"
        optional={!needsProof}
        hint="For example the carrier’s receipt or a signed note. The buyer and our team can see it."
        accept="image/*,application/pdf"
        maxBytes={EVIDENCE_MAX_BYTES}
        {...form.control('proof')}
      />
    </ConfirmForm>
  )
}
