import { paths } from '@sought/contract/paths'
import { formatTime } from '../../../core/dates.ts'
import { defineAccountEmail } from '../../notifications/define-email.ts'
import { payoutsWaitFrom } from '../payouts/payouts-wait.ts'

export const payoutAccountChangedEmail = defineAccountEmail({
  kind: 'payout_account_changed',
  content: (_, { createdAt }) => ({
    title: 'Your payout account was changed',
    text: `The account that we pay your earnings to was changed or removed. To keep your money safe, payouts wait until ${formatTime(payoutsWaitFrom(createdAt))}. If you did not make this change, set a new password now and check your payout account.`,
    path: paths.sellerSetup(),
    action: 'Check your payout account',
  }),
})
