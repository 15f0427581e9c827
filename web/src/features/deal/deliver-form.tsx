import { EVIDENCE_MAX_BYTES } from '@sought/contract/constants'
import { markDelivered } from '@sought/contract/deliveries'
import type { PaymentDetails } from '@sought/contract/payments'
import { HOLD_DAYS_AFTER_DELIVERY } from '@sought/escrow/delivery'
import { useState } from 'react'
import { explainFailure } from '../../data/use-action.ts'
import { useUploadAction } from '../../data/use-upload-action.ts'
import { OneFileField } from '../../shared/forms/one-file-field.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

/** The seller reports that the parcel has arrived. Without a tracking number, this requires a file as proof. */
export function DeliverButton({ deal }: { deal: PaymentDetails }) {
  const [isOpen, setIsOpen] = useState(false)
  const [proof, setProof] = useState<File | null>(null)
  const [error, setError] = useState<string>()
  const needsProof = deal.trackingNumber === null
  const { run, isPending } = useUploadAction(markDelivered, {
    success: { title: 'Marked as delivered', description: `We have told ${deal.buyer.name}.` },
    failure: explainFailure('The delivery was not saved'),
  })
  const submit = async () => {
    if (needsProof && !proof) return setError('Add a file that shows the delivery')
    if (await run({ params: { id: String(deal.id) }, file: proof })) setIsOpen(false)
  }
  return (
    <ConfirmDialog
      title="Has the parcel arrived?"
      description={`${deal.buyer.name} then has at least ${HOLD_DAYS_AFTER_DELIVERY} days to check the item before the money is released to you. The shipment can no longer be corrected.`}
      confirmLabel="Mark as Delivered"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void submit()}
      trigger={<Button variant="secondary">Report Delivery</Button>}
    >
      <OneFileField
        label="Proof of delivery"
        optional={!needsProof}
        hint="For example the carrier’s receipt or a signed note. The buyer and our team can see it."
        error={error}
        accept="image/*,application/pdf"
        maxBytes={EVIDENCE_MAX_BYTES}
        file={proof}
        onFile={(file) => {
          setProof(file)
          setError(undefined)
        }}
      />
    </ConfirmDialog>
  )
}
