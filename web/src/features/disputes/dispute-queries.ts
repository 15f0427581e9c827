import { getDispute } from '@sought/contract/disputes'
import { getPayment, listPayments } from '@sought/contract/payments'

/** What every action of a party changes. */
export const disputeQueries = [getDispute, getPayment, listPayments]
