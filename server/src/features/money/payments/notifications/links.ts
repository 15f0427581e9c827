import { paths } from '@sought/contract/paths'

/* The screens that notifications about a payment open. */

interface Facts {
  paymentId: number
}

export const openDeal = ({ paymentId }: Facts) => ({ path: paths.deal(paymentId), action: 'Open the deal' })

export const openDispute = ({ paymentId }: Facts) => ({
  path: paths.dispute(paymentId),
  action: 'Open the dispute',
})

export const openPayments = () => ({ path: paths.payments(), action: 'Open your transactions' })

/** For admins. */
export const openDesk = ({ paymentId }: Facts) => ({
  path: paths.adminDisputes({ search: String(paymentId) }),
  action: 'Open the desk',
})
