import { getPayment, listPayments } from '@sought/contract/payments'
import { getWantedItem } from '@sought/contract/requests'

/** What every action on a payment changes. */
export const paymentQueries = [getPayment, listPayments, getWantedItem]
