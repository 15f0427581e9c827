import { formatAddressLines } from '@sought/contract/address-rules'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { getCountryName } from './countries.ts'

/** An address as on a label, with the country in English. */
export function AddressLines({ address }: { address: DeliveryAddress }) {
  const lines = [...formatAddressLines(address), getCountryName(address.country)]
  return (
    <address className="not-italic [overflow-wrap:anywhere]">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and two can be the same
        <span key={index} className="block">
          {line}
        </span>
      ))}
    </address>
  )
}
