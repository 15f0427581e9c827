import { paths } from '@sought/contract/paths'
import { defineAccountEmail } from '../../notifications/define-email.ts'

const openSecurity = { path: paths.profile({ tab: 'security' }), action: 'Open security settings' }

export const secondFactorAddedEmail = defineAccountEmail({
  kind: 'second_factor_added',
  content: (_, __, { marketName }) => ({
    title: 'A second factor was added',
    text: `A passkey or an authenticator app was added to your account at ${marketName}. If you did not add it, open your security settings now, remove it, sign out other devices and set a new password.`,
    ...openSecurity,
  }),
})

export const secondFactorRemovedEmail = defineAccountEmail({
  kind: 'second_factor_removed',
  content: (_, __, { marketName }) => ({
    title: 'A second factor was removed',
    text: `A passkey or the authenticator app was removed from your account at ${marketName}. If you did not remove it, open your security settings now, sign out other devices and set a new password.`,
    ...openSecurity,
  }),
})
