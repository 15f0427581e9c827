import { getDispute } from '@sought/contract/disputes'
import { getPayment, listPayments } from '@sought/contract/payments'

/** The queries that every action of a party changes. */
export const disputeQueries = [getDispute, getPayment, listPayments]
