import { findAddressIssues, normalizeAddress } from '@sought/contract/address-rules'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import { refuse } from '../../platform/errors.ts'

/** Returns the address as it is written in its country. Refuses one that lacks something there. */
export function checkAddress(given: DeliveryAddress, pathPrefix = ''): DeliveryAddress {
  const address = normalizeAddress(given)
  const issues = findAddressIssues(address)
  if (issues.length === 0) return address
  throw refuse('invalid', {
    issues: issues.map(({ field, message }) => ({ path: pathPrefix + field, message })),
  })
}
