import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { callsOf, STAFF_ROLES } from './call.ts'
import { AVATAR_MAX_BYTES, PASSWORD_MAX_LENGTH, USER_CACHE_MS } from './constants.ts'
import { Currency } from './currency-code.ts'
import {
  Amount,
  Done,
  Email,
  FirstName,
  Id,
  LastName,
  NewPassword,
  optionalText,
  PathId,
  pageLimit,
  ReturnTo,
  Timestamp,
  UserId,
} from './fields.ts'

const call = callsOf({ subjects: ['account'] })

/** The public part of a user's profile. */
export const PublicUser = z.object({
  id: UserId,
  name: z.string(),
  rating: z.number(),
  profileImageUrl: z.nullable(z.string()),
})
export type PublicUser = z.output<typeof PublicUser>

/** A seller's public keywords and categories. */
export const Selling = z.object({ keywords: z.array(z.string()), categories: z.array(z.string()) })
export type Selling = z.output<typeof Selling>

/** A user's own account. It has no fields for password, provider ids or bank details. */
export const CurrentUser = z.object({
  id: UserId,
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** A new address that is not verified yet. */
  pendingEmail: z.nullable(z.string()),
  hasPassword: z.boolean(),
  googleLinked: z.boolean(),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  provider: z.enum(['email', 'google']),
  bio: z.nullable(z.string()),
  location: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  selling: Selling,
  rating: z.number(),
  /** When the restriction or suspension ends. A time in the past means that it has ended. */
  restrictedUntil: z.nullable(Timestamp),
  suspendedUntil: z.nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type CurrentUser = z.output<typeof CurrentUser>

/** The reply to a sign-in that needs a second factor. There is no session until `giveSecondFactor`. */
export const PendingSignIn = z.object({ secondFactors: z.array(z.enum(['totp', 'passkey'])) })
export type PendingSignIn = z.output<typeof PendingSignIn>

export const SignUp = z.object({
  email: Email,
  password: NewPassword,
  firstName: FirstName,
  lastName: LastName,
})

export const SignIn = z.object({
  email: Email,
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(PASSWORD_MAX_LENGTH)),
})

/** Only the password, for forms where the account is already known. */
export const PasswordEntry = z.pick(SignIn, { password: true })

export const Profile = z.object({
  firstName: FirstName,
  lastName: LastName,
  email: Email,
  bio: z.optional(optionalText(500, 'Bio must be less than 500 characters')),
  location: z.optional(optionalText(100, 'Location must be less than 100 characters')),
  phone: z.optional(optionalText(20, 'Phone must be less than 20 characters')),
})

export const PasswordChange = z
  .object({
    currentPassword: z
      .string()
      .check(z.minLength(1, 'Current password is required'), z.maxLength(PASSWORD_MAX_LENGTH)),
    newPassword: z
      .string()
      .check(z.minLength(6, 'New password must be at least 6 characters'), z.maxLength(PASSWORD_MAX_LENGTH)),
    confirmPassword: z.string().check(z.minLength(1, 'Please confirm your password')),
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmPassword, {
      error: "Passwords don't match",
      path: ['confirmPassword'],
    }),
  )

export const getCurrentUser = call({
  method: 'GET',
  path: '/api/auth/user',
  access: 'user',
  fresh: USER_CACHE_MS,
  allowedInEveryMode: true,
  summary: 'Gets the signed-in user',
  reply: CurrentUser,
})

export const signUp = call({
  method: 'POST',
  path: '/api/auth/signup',
  access: 'public',
  changes: [],
  summary: 'Creates an account and signs in',
  body: SignUp,
  reply: CurrentUser,
  status: 201,
  refuses: ['email_taken', 'too_many'],
})

export const signIn = call({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  changes: [],
  allowedInEveryMode: true,
  summary: 'Signs in with email and password; an account with a second factor then needs that too',
  body: SignIn,
  reply: z.union([CurrentUser, PendingSignIn]),
  refuses: ['wrong_credentials', 'too_many'],
})

export const goToSignIn = call({
  method: 'GET',
  path: '/api/login',
  access: 'public',
  allowedInEveryMode: true,
  summary: 'Redirects to the sign-in screen',
  query: z.object({ returnTo: z.optional(ReturnTo) }),
  reply: 'redirect',
})

export const signOut = call({
  method: 'GET',
  path: '/api/logout',
  access: 'public',
  allowedInEveryMode: true,
  summary: 'Ends the session and redirects to the home page',
  reply: 'redirect',
})

export const startGoogleSignIn = call({
  method: 'GET',
  path: '/api/auth/google',
  access: 'public',
  allowedInEveryMode: true,
  summary: 'Redirects to Google to sign in, or to confirm the identity of the signed-in user',
  query: z.object({ returnTo: z.optional(ReturnTo), confirm: z.optional(z.literal('true')) }),
  reply: 'redirect',
})

export const finishGoogleSignIn = call({
  method: 'GET',
  path: '/api/auth/google/callback',
  access: 'public',
  allowedInEveryMode: true,
  summary: 'Completes the Google sign-in; Google redirects here',
  reply: 'redirect',
})

export const getIsAdmin = call({
  method: 'GET',
  path: '/api/user/is-admin',
  access: 'user',
  about: ['security'],
  summary: 'Gets the role of the signed-in user in the team, and whether they are an admin',
  reply: z.object({
    isAdmin: z.boolean(),
    /** Null for users who are not members of the team. */
    role: z.nullable(z.enum(STAFF_ROLES)),
    /** Set while the server refuses the calls of this role, because the user has no second factor. */
    needsSecondFactor: z.optional(z.boolean()),
  }),
})

export const getUserStats = call({
  method: 'GET',
  path: '/api/user/stats',
  access: 'user',
  about: ['requests', 'payments'],
  fresh: 'on open',
  summary: 'Gets the number of requests and purchases, and the amount spent',
  reply: z.object({ totalWantedItems: z.int(), totalPurchases: z.int(), totalSpent: z.int() }),
})

export const listPurchases = call({
  method: 'GET',
  path: '/api/user/purchases',
  access: 'user',
  about: ['payments'],
  fresh: 'on open',
  summary: 'Lists the purchases of the signed-in user, newest first',
  query: z.object({ limit: pageLimit(100, 100), cursor: z.optional(PathId) }),
  reply: z.array(
    z.object({
      id: Id,
      title: z.string(),
      status: z.enum(PAYMENT_STATUSES),
      amount: Amount,
      currency: Currency,
    }),
  ),
})

export const updateProfile = call({
  method: 'PUT',
  path: '/api/user/profile',
  access: 'user',
  summary: 'Updates the profile',
  body: Profile,
  reply: CurrentUser,
  refuses: ['confirm_identity', 'email_taken', 'too_many'],
})

export const changePassword = call({
  method: 'POST',
  path: '/api/user/change-password',
  access: 'user',
  changes: ['account', 'security'],
  allowedIfSuspended: true,
  summary: 'Changes the password and ends all other sessions',
  body: PasswordChange,
  reply: Done,
  refuses: ['wrong_password', 'no_password', 'too_many'],
})

export const uploadAvatar = call({
  method: 'POST',
  path: '/api/user/upload-avatar',
  access: 'user',
  summary: 'Sets the profile picture',
  upload: { field: 'avatar', maxBytes: AVATAR_MAX_BYTES },
  reply: CurrentUser,
  refuses: ['too_large', 'file_infected', 'wrong_type', 'not_an_image', 'too_many'],
})
