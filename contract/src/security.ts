import * as z from 'zod/mini'
import { CurrentUser } from './accounts.ts'
import { call } from './call.ts'
import { PASSWORD_MAX_LENGTH } from './constants.ts'
import { Done, Email, mustBeStorable, NewPassword, Timestamp } from './fields.ts'

const Token = z.string().check(z.minLength(1), z.maxLength(200))

export const ForgottenPassword = z.object({ email: Email })

export const forgotPassword = call({
  method: 'POST',
  path: '/api/auth/forgot-password',
  access: 'public',
  summary:
    'Mails a link to set a new password; the answer is the same whether or not there is such an account',
  body: ForgottenPassword,
  reply: Done,
  refuses: ['too_many'],
})

export const resetPassword = call({
  method: 'POST',
  path: '/api/auth/reset-password',
  access: 'public',
  summary: 'Sets a new password by a mailed link, and ends every session',
  body: z.object({ token: Token, newPassword: NewPassword }),
  reply: Done,
  refuses: ['link_expired', 'too_many'],
})

export const verifyEmail = call({
  method: 'POST',
  path: '/api/auth/verify-email',
  access: 'public',
  summary: 'Proves an address by a mailed link',
  body: z.object({ token: Token }),
  reply: Done,
  refuses: ['link_expired', 'email_taken', 'too_many'],
})

export const resendVerification = call({
  method: 'POST',
  path: '/api/user/resend-verification',
  access: 'user',
  summary: 'Mails the link to prove the address once more',
  reply: Done,
  refuses: ['too_many'],
})

export const cancelEmailChange = call({
  method: 'POST',
  path: '/api/user/cancel-email-change',
  access: 'user',
  summary: 'Forgets a new address that was not proved yet',
  reply: CurrentUser,
})

/** A browser that is signed in. The id is not the one in its cookie. */
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
  summary: 'Where the person is signed in, the latest first',
  reply: z.array(Device),
})

export const signOutDevice = call({
  method: 'DELETE',
  path: '/api/user/devices/:id',
  access: 'user',
  summary: 'Signs one of them out',
  params: z.object({ id: z.string().check(mustBeStorable, z.maxLength(100)) }),
  reply: Done,
  refuses: ['device_not_found'],
})

export const signOutOtherDevices = call({
  method: 'POST',
  path: '/api/user/devices/sign-out-others',
  access: 'user',
  summary: 'Signs all but this one out',
  reply: Done,
})

/** Who has no password writes their address instead. */
export const AccountDeletion = z.object({
  password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH))),
  email: z.optional(z.string().check(z.maxLength(500))),
})

export const deleteAccount = call({
  method: 'POST',
  path: '/api/user/delete-account',
  access: 'user',
  summary: 'Erases the person; transactions stay, under the name of a deleted user',
  body: AccountDeletion,
  reply: Done,
  refuses: ['wrong_password', 'money_open', 'provider_failed', 'too_many'],
})

export const downloadOwnData = call({
  method: 'GET',
  path: '/api/user/data',
  access: 'user',
  summary: 'Everything that is stored about the person, as a JSON file',
  reply: 'file',
  refuses: ['too_many'],
})
