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
