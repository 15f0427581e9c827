import type { PaymentDetails } from '@sought/contract/payments'
import type { Party } from '../../shared/deals/payment-status.ts'

/** A deal as one of its parties sees it. */
export interface DealProps {
  deal: PaymentDetails
  party: Party
}
