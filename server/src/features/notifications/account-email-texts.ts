import type { AccountEmailKind } from '@sought/contract/notification-kinds'
import { paths } from '@sought/contract/paths'
import { EMAIL_UNDO_HOURS } from '@sought/contract/security'
import type { Tx } from '../../database/database.ts'
import { createUndoToken, findEmailChangeAt } from '../users/email-changes.ts'
import { findDeviceAddedAt } from '../users/known-devices.ts'
import { createToken } from '../users/link-tokens.ts'
import type { EmailContent } from './email-template.ts'
import { payoutsWaitFrom } from './payouts-wait.ts'

interface AccountEmail {
  kind: AccountEmailKind
  userId: string
  address: string
  /** When the email was queued, which is also the time of its event. */
  createdAt: Date
}

/** The content of an email about the account or to an admin. Creates the token for its link, if it has one. */
export async function accountEmailContent(
  tx: Tx,
  { kind, userId, address, createdAt }: AccountEmail,
  sessionSecret: string,
  marketName: string,
): Promise<EmailContent> {
  switch (kind) {
    case 'verify_email': {
      const token = await createToken(tx, { userId, purpose: 'verify_email', email: address })
      return {
        title: 'Please confirm your email address',
        text: `This address was entered for an account at ${marketName}. Please confirm that it is yours. The link works once and expires after 24 hours. If you did not enter it, you can ignore this email.`,
        path: paths.verifyEmail({ token }),
        action: 'Confirm email address',
      }
    }
    case 'reset_password': {
      const token = await createToken(tx, { userId, purpose: 'reset_password', email: address })
      return {
        title: 'Set a new password',
        text: `We received a request to reset the password of your account at ${marketName}. The link works once and expires after one hour. If you did not ask for this, you can ignore this email: your password stays the same.`,
        path: paths.resetPassword({ token }),
        action: 'Set a new password',
      }
    }
    case 'email_changed': {
      const changeId = await findEmailChangeAt(tx, userId, createdAt)
      return {
        title: 'Your email address was changed',
        text: `Your account at ${marketName} now has a different email address. Please use it to sign in; our emails go there too. If you did not make this change, undo it within ${EMAIL_UNDO_HOURS} hours: your account gets this address back, all devices are signed out, and we send you a link to set a new password.`,
        ...(changeId
          ? { path: paths.undoEmail(createUndoToken(changeId, sessionSecret)), action: 'Undo this change' }
          : { path: paths.profile({ tab: 'security' }), action: 'Open security settings' }),
      }
    }
    case 'new_device': {
      const device = (await findDeviceAddedAt(tx, userId, createdAt)) ?? 'a new device'
      return {
        title: 'New sign-in to your account',
        text: `Somebody signed in to your account at ${marketName} with a browser that we did not know: ${device}, on ${formatTime(createdAt)}. If that was you, there is nothing to do. If not, sign out that device and set a new password now.`,
        path: paths.profile({ tab: 'security' }),
        action: 'See your devices',
      }
    }
    case 'payout_account_changed':
      return {
        title: 'Your payout account was changed',
        text: `The account that we pay your earnings to was changed or removed. To keep your money safe, payouts wait until ${formatTime(payoutsWaitFrom(createdAt))}. If you did not make this change, set a new password now and check your payout account.`,
        path: paths.sellerSetup(),
        action: 'Check your payout account',
      }
    case 'password_changed':
      return {
        title: 'Your password was changed',
        text: `The password of your account at ${marketName} was changed, and all other devices were signed out. If you did not make this change, reset your password now.`,
        path: paths.forgotPassword(),
        action: 'Reset your password',
      }
    case 'second_factor_added':
      return {
        title: 'A second factor was added',
        text: `A passkey or an authenticator app was added to your account at ${marketName}. If you did not add it, open your security settings now, remove it, sign out other devices and set a new password.`,
        path: paths.profile({ tab: 'security' }),
        action: 'Open security settings',
      }
    case 'second_factor_removed':
      return {
        title: 'A second factor was removed',
        text: `A passkey or the authenticator app was removed from your account at ${marketName}. If you did not remove it, open your security settings now, sign out other devices and set a new password.`,
        path: paths.profile({ tab: 'security' }),
        action: 'Open security settings',
      }
    case 'reconciliation_differences':
      return {
        title: 'The card provider and the ledger do not agree',
        text: 'The nightly comparison of the card provider’s balance with the ledger found differences. Please look into each of them. A difference disappears from the list after a later comparison finds that both sides agree.',
        path: paths.adminReconciliation(),
        action: 'See the differences',
        reason: 'You get this email because you are an admin.',
      }
  }
}

const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** Such as '18 November 2026 at 14:30 UTC'. */
const formatTime = (at: Date) => `${times.format(at)} UTC`
