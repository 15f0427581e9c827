import { paths } from '@sought/contract/paths'
import { EMAIL_UNDO_HOURS } from '@sought/contract/security'
import { formatTime } from '../../../core/dates.ts'
import { defineAccountEmail } from '../../notifications/define-email.ts'
import { createUndoToken, findEmailChangeAt } from '../../users/email-changes.ts'
import { findDeviceAddedAt } from '../../users/known-devices.ts'
import { createToken } from '../../users/link-tokens.ts'

/* An email is queued at the time of its event. The token for its link is created when it is sent. */

export const verificationEmail = defineAccountEmail({
  kind: 'verify_email',
  isAskedFor: true,
  addressOf: ({ address, currentAddress, pendingAddress }) =>
    address === currentAddress || address === pendingAddress ? address : null,
  async content(tx, { userId, address }, { marketName }) {
    const token = await createToken(tx, { userId, purpose: 'verify_email', email: address })
    return {
      title: 'Please confirm your email address',
      text: `This address was entered for an account at ${marketName}. Please confirm that it is yours. The link works once and expires after 24 hours. If you did not enter it, you can ignore this email.`,
      path: paths.verifyEmail({ token }),
      action: 'Confirm email address',
    }
  },
})

export const passwordResetEmail = defineAccountEmail({
  kind: 'reset_password',
  isAskedFor: true,
  addressOf: ({ address, currentAddress }) => (address === currentAddress ? address : null),
  async content(tx, { userId, address }, { marketName }) {
    const token = await createToken(tx, { userId, purpose: 'reset_password', email: address })
    return {
      title: 'Set a new password',
      text: `We received a request to reset the password of your account at ${marketName}. The link works once and expires after one hour. If you did not ask for this, you can ignore this email: your password stays the same.`,
      path: paths.resetPassword({ token }),
      action: 'Set a new password',
    }
  },
})

export const addressChangedEmail = defineAccountEmail({
  kind: 'email_changed',
  async content(tx, { userId, createdAt }, { marketName, sessionKeys }) {
    const changeId = await findEmailChangeAt(tx, userId, createdAt)
    return {
      title: 'Your email address was changed',
      text: `Your account at ${marketName} now has a different email address. Please use it to sign in; our emails go there too. If you did not make this change, undo it within ${EMAIL_UNDO_HOURS} hours: your account gets this address back, all devices are signed out, and we send you a link to set a new password.`,
      ...(changeId
        ? { path: paths.undoEmail(createUndoToken(changeId, sessionKeys)), action: 'Undo this change' }
        : { path: paths.profile({ tab: 'security' }), action: 'Open security settings' }),
    }
  },
})

export const newDeviceEmail = defineAccountEmail({
  kind: 'new_device',
  async content(tx, { userId, createdAt }, { marketName }) {
    const device = (await findDeviceAddedAt(tx, userId, createdAt)) ?? 'a new device'
    return {
      title: 'New sign-in to your account',
      text: `Somebody signed in to your account at ${marketName} with a browser that we did not know: ${device}, on ${formatTime(createdAt)}. If that was you, there is nothing to do. If not, sign out that device and set a new password now.`,
      path: paths.profile({ tab: 'security' }),
      action: 'See your devices',
    }
  },
})

export const passwordChangedEmail = defineAccountEmail({
  kind: 'password_changed',
  content: (_, __, { marketName }) => ({
    title: 'Your password was changed',
    text: `The password of your account at ${marketName} was changed, and all other devices were signed out. If you did not make this change, reset your password now.`,
    path: paths.forgotPassword(),
    action: 'Reset your password',
  }),
})
