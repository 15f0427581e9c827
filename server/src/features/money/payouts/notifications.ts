import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'

/** The seller has disconnected their account from ours. */
export const payoutAccountLost = defineNotification('payout_account_lost', {
  kind: 'funds_released',
  isAboutMoney: true,
  to: (to: string, accountId: string) => ({ to, about: [accountId] }),
  title: 'Your Stripe account was disconnected',
  text: 'We can no longer pay you there. Unpaid payouts wait until you set up payouts again.',
  link: () => ({ path: paths.sellerSetup(), action: 'Set up payouts' }),
})

/** The seller has set up no way to be paid. */
export const payoutUnclaimed = defineNotification('payout_unclaimed', {
  kind: 'funds_released',
  isAboutMoney: true,
  to: ({ sellerId: to, paymentId, amount }: UnclaimedPayout, days: number) => ({
    to,
    about: [paymentId, days],
    paymentId,
    amount,
  }),
  title: ({ amount, itemTitle }) => `${amount} for “${itemTitle}” is waiting for you`,
  text: ({ about }) =>
    `You earned it more than ${about[1]} days ago, but you haven’t set up payouts yet. It takes a few minutes.`,
  link: () => ({ path: paths.sellerSetup(), action: 'Set up payouts' }),
})

interface UnclaimedPayout {
  sellerId: string
  paymentId: number
  amount: number
}
