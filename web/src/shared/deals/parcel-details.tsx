import { getCarrierName } from '@sought/contract/carriers'
import type { Payment } from '@sought/contract/payments'
import { ExternalLink } from 'lucide-react'
import { formatDateTime } from '../../format/dates.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'

type Parcel = Pick<Payment, 'carrier' | 'trackingNumber' | 'trackingUrl' | 'shippedAt' | 'deliveredAt'> & {
  shipmentNote: string | null
  shipmentPhoto: string | null
  deliveryProof: string | null
}

/** The details of a parcel: its carrier and number, its dates, and the seller's files. */
export function ParcelDetails({ parcel, className }: { parcel: Parcel; className?: string }) {
  const { carrier, trackingNumber, trackingUrl, shippedAt, deliveredAt } = parcel
  const { shipmentNote, shipmentPhoto, deliveryProof } = parcel
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <DefinitionList
        {...(className && { className })}
        rows={[
          shippedAt && { label: 'Shipped', value: formatDateTime(shippedAt) },
          deliveredAt && { label: 'Delivered', value: formatDateTime(deliveredAt) },
          carrier && { label: 'Carrier', value: getCarrierName(carrier) },
          trackingNumber && {
            label: 'Tracking number',
            value: <TrackingNumber number={trackingNumber} url={trackingUrl} />,
          },
          shipmentNote && {
            label: 'Seller’s note',
            value: <span className="whitespace-pre-line [overflow-wrap:anywhere]">{shipmentNote}</span>,
          },
          deliveryProof && { label: 'Proof of delivery', value: <FileLink url={deliveryProof} /> },
        ]}
      />
      {shipmentPhoto && (
        <a href={shipmentPhoto} target="_blank" rel="noreferrer" className="justify-self-start">
          <img
            src={shipmentPhoto}
            alt="The parcel or its label"
            loading="lazy"
            className="max-h-48 min-h-24 max-w-full rounded-card bg-sunken object-contain"
          />
        </a>
      )}
    </div>
  )
}

function TrackingNumber({ number, url }: { number: string; url: string | null }) {
  if (!url) return <span className="select-all tabular-nums [overflow-wrap:anywhere]">{number}</span>
  return (
    <a href={url} target="_blank" rel="noreferrer" className="link tabular-nums [overflow-wrap:anywhere]">
      {number}
      <ExternalLink
        aria-label=", opens the carrier’s page"
        className="ml-1 inline size-4 align-text-bottom"
      />
    </a>
  )
}

function FileLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="link">
      View file
    </a>
  )
}
