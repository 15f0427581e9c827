import { paths } from '@sought/contract/paths'
import { defineAccountEmail } from '../../notifications/define-email.ts'

export const reconciliationEmail = defineAccountEmail({
  kind: 'reconciliation_differences',
  addressOf: ({ currentAddress }) => currentAddress,
  content: () => ({
    title: 'The card provider and the ledger do not agree',
    text: 'The nightly comparison of the card provider’s balance with the ledger found differences. Please look into each of them. A difference disappears from the list after a later comparison finds that both sides agree.',
    path: paths.adminReconciliation(),
    action: 'See the differences',
    reason: 'You get this email because you are an admin.',
  }),
})
