import type { AccountEmailKind } from '@sought/contract/notification-kinds'
import { paths } from '@sought/contract/paths'
import type { Tx } from '../../platform/database.ts'
import { createToken } from '../../platform/link-tokens.ts'
import type { Content } from './email-template.ts'

/** What a mail about the account says. A link that opens something is made here and now, for this mail alone. */
export async function accountWords(
  tx: Tx,
  { kind, userId, address }: { kind: AccountEmailKind; userId: string; address: string },
): Promise<Content> {
  switch (kind) {
    case 'verify_email': {
      const token = await createToken(tx, { userId, purpose: 'verify_email', email: address })
      return {
        title: 'Please confirm your email address',
        text: 'Somebody, we hope you, gave this address for an account at Sought. The link works once, for 24 hours. If it was not you, do nothing: without it the address counts for nothing.',
        path: paths.verifyEmail({ token }),
        action: 'Confirm this address',
      }
    }
    case 'reset_password': {
      const token = await createToken(tx, { userId, purpose: 'reset_password', email: address })
      return {
        title: 'Set a new password',
        text: 'Somebody, we hope you, asked for a new password for your account at Sought. The link works once, for one hour. If it was not you, do nothing: your password stays as it is.',
        path: paths.resetPassword({ token }),
        action: 'Set a new password',
      }
    }
    case 'email_changed':
      return {
        title: 'The email address of your account was changed',
        text: 'Your account at Sought has another address from now on: mail goes there, and you sign in with it. If it was not you, open your security settings at once, sign out the other devices and set a new password.',
        path: paths.profile({ tab: 'security' }),
        action: 'Open your security settings',
      }
    case 'password_changed':
      return {
        title: 'Your password was changed',
        text: 'The password of your account at Sought is a new one, and other devices were signed out. If it was not you, set another one at once.',
        path: paths.forgotPassword(),
        action: 'Set another password',
      }
  }
}
