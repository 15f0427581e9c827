import { getPayment, listPayments } from '@sought/contract/payments'
import { getWantedItem } from '@sought/contract/requests'

/** The queries that every action on a payment changes. */
export const paymentQueries = [getPayment, listPayments, getWantedItem]
