import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

interface Debt {
  id: number
  paymentId: number
  userId: string
}

const toDebtor = ({ id, paymentId, userId: to }: Debt, amount: number, repeat: number[] = []) => ({
  to,
  about: [id, ...repeat],
  paymentId,
  amount,
})

const openDebts = () => ({ path: paths.sellerSetup(), action: 'See what you owe' })

export const debtOwed = defineNotification('debt_owed', {
  kind: 'debt',
  isAboutMoney: true,
  to: toDebtor,
  title: ({ itemTitle, amount }) => `You owe ${amount} for “${itemTitle}”`,
  text: 'We take it from your next payouts. You can see the reason with your payouts.',
  link: openDebts,
})

export const debtTaken = defineNotification('debt_taken', {
  kind: 'debt',
  isAboutMoney: true,
  /** `payout` is the payment and the attempt of the payout that it was taken from. */
  to: (debt: Debt, takenCents: number, payout: number[]) => toDebtor(debt, takenCents, payout),
  title: ({ itemTitle, amount }) => `${amount} that you owed for “${itemTitle}” was taken from a payout`,
  text: 'Your next payout is smaller by this amount.',
  link: openDebts,
})

/** An admin waived it, or it was open for too long. */
export const debtGivenUp = defineNotification('debt_given_up', {
  kind: 'debt',
  isAboutMoney: true,
  to: toDebtor,
  title: ({ itemTitle, amount }) => `You no longer owe ${amount} for “${itemTitle}”`,
  text: 'We will not take this amount from your payouts.',
  link: openDebts,
})
