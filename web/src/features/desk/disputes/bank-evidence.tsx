import { type BankEvidenceText, previewBankEvidence } from '@sought/contract/disputes'
import { useRead } from '../../../data/calls.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

const labels: Record<BankEvidenceText, string> = {
  customerName: 'Buyer',
  customerEmail: 'Email',
  purchaseIp: 'Paid from',
  productDescription: 'Item',
  shippingCarrier: 'Carrier',
  shippingTrackingNumber: 'Tracking number',
  shippingDate: 'Shipped on',
  shippingAddress: 'Delivery address',
  serviceDate: 'Received on',
  refundPolicy: 'Refund policy',
  cancellationPolicy: 'Cancellation policy',
  cancellationRebuttal: 'Cancellation',
  text: 'Statement',
}

/** Everything that would be sent to the bank about a chargeback. */
export function BankEvidence({ paymentId }: { paymentId: number }) {
  const evidence = useRead(previewBankEvidence, { params: { id: String(paymentId) } })
  return (
    <Loaded query={evidence} loading={<Skeleton className="h-40" />} errorTitle="Failed to load the evidence">
      {({ texts, files }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard.
        <section aria-label="What is sent" tabIndex={0} className="max-h-80 overflow-y-auto text-fine">
          <DefinitionList
            rows={[
              ...texts.map(({ name, value }) => ({
                label: labels[name],
                value: <span className="whitespace-pre-wrap">{value}</span>,
              })),
              files.length > 0 && { label: 'Files', value: files.join(', ') },
            ]}
          />
        </section>
      )}
    </Loaded>
  )
}
