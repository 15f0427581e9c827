import * as z from 'zod/mini'
import { CurrentUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { PASSWORD_MAX_LENGTH } from './constants.ts'
import { Done, Email, mustBeStorable, NewPassword, Timestamp } from './fields.ts'

const call = callsOf({ subjects: ['account'] })

const Token = z.string().check(z.minLength(1), z.maxLength(200))

export const ForgottenPassword = z.object({ email: Email })

export const forgotPassword = call({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'public',
  changes: [],
  summary: 'Emails a password reset link; the reply does not reveal whether the account exists',
  body: ForgottenPassword,
  reply: Done,
  refuses: ['too_many'],
})

export const resetPassword = call({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'public',
  summary: 'Sets a new password with an emailed link and ends all sessions',
  body: z.object({ token: Token, newPassword: NewPassword }),
  reply: Done,
  refuses: ['link_expired', 'too_many'],
})

export const getEmailVerification = call({
  method: 'GET',
  path: '/api/auth/verify-email',
  access: 'public',
  about: [],
  summary: 'Gets what a verification link is for, without using it',
  query: z.object({ token: Token }),
  reply: z.object({
    /** Masked, such as 'a•••@example.com'. */
    email: z.string(),
    /** True if the address replaces another one, false if it is the account's first. */
    isChange: z.boolean(),
    /** True in a browser where the user has not signed in before. */
    asksPassword: z.boolean(),
  }),
  refuses: ['link_expired', 'too_many'],
})

export const verifyEmail = call({
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'public',
  summary:
    'Verifies an email address with an emailed link; if a new account’s password is asked for but not sent, the password is removed and all sessions end',
  body: z.object({ token: Token, password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH))) }),
  reply: Done,
  refuses: ['link_expired', 'email_taken', 'wrong_password', 'too_many'],
})

/** How long a change of the email address can be undone. */
export const EMAIL_UNDO_HOURS = 72

export const getEmailUndo = call({
  method: 'GET',
  path: '/api/auth/undo-email',
  access: 'public',
  about: [],
  summary: 'Gets which address an undo link restores, without using it',
  query: z.object({ token: Token }),
  reply: z.object({ email: z.string(), state: z.enum(['ready', 'used', 'expired']) }),
  refuses: ['link_expired', 'too_many'],
})

export const undoEmailChange = call({
  method: 'POST',
  path: '/api/auth/undo-email',
  access: 'public',
  summary: 'Restores the former email address, ends all sessions and emails a password reset link',
  body: z.object({ token: Token }),
  reply: Done,
  refuses: ['link_expired', 'email_taken', 'too_many'],
})

export const resendVerification = call({
  method: 'POST',
  path: '/api/user/resend-verification',
  access: 'user',
  changes: [],
  allowedIfSuspended: true,
  summary: 'Sends the verification email again',
  reply: Done,
  refuses: ['too_many'],
})

export const cancelEmailChange = call({
  method: 'POST',
  path: '/api/user/cancel-email-change',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Cancels a change to an email address that is not verified yet',
  reply: CurrentUser,
})

/** A signed-in browser. The id differs from the session id in its cookie. */
export const Device = z.object({
  id: z.string(),
  /** Such as 'Firefox on Linux'. */
  name: z.string(),
  isThisOne: z.boolean(),
  signedInAt: Timestamp,
  seenAt: Timestamp,
})

export const listDevices = call({
  method: 'GET',
  path: '/api/user/devices',
  access: 'user',
  about: ['security'],
  fresh: 'on open',
  summary: 'Lists the devices where the user is signed in, most recent first',
  reply: z.array(Device),
})

export const signOutDevice = call({
  method: 'DELETE',
  path: '/api/user/devices/:id',
  access: 'user',
  changes: ['security'],
  allowedIfSuspended: true,
  summary: 'Signs out a device',
  params: z.object({ id: z.string().check(mustBeStorable, z.maxLength(100)) }),
  reply: Done,
  refuses: ['device_not_found'],
})

export const signOutOtherDevices = call({
  method: 'POST',
  path: '/api/user/devices/sign-out-others',
  access: 'user',
  changes: ['security'],
  allowedIfSuspended: true,
  summary: 'Signs out all other devices',
  reply: Done,
})

/** Users without a password enter their email address instead. */
export const AccountDeletion = z.object({
  password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH))),
  email: z.optional(z.string().check(z.maxLength(500))),
})

export const deleteAccount = call({
  method: 'POST',
  path: '/api/user/delete-account',
  access: 'user',
  changes: [],
  summary: 'Deletes the account; transactions remain, without personal data',
  body: AccountDeletion,
  reply: Done,
  refuses: ['confirm_identity', 'wrong_password', 'money_open', 'provider_failed', 'too_many'],
})

export const downloadOwnData = call({
  method: 'GET',
  path: '/api/user/data',
  access: 'user',
  confirmed: true,
  summary: 'Downloads all data stored about the user as a JSON file',
  reply: 'file',
  refuses: ['too_many'],
})
