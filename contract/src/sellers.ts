import * as z from 'zod/mini'
import { call } from './call.ts'
import { SELLER_COUNTRIES } from './constants.ts'
import { Done, optionalText, text } from './fields.ts'

export const BankAccount = z.object({
  account_holder_name: text(200),
  country: z._default(z.string().check(z.regex(/^[A-Z]{2}$/)), 'US'),
  routing_number: z.optional(optionalText(50)),
  account_number: z.optional(optionalText(50)),
  account_type: z._default(z.enum(['checking', 'savings']), 'checking'),
  iban: z.optional(optionalText(50)),
  swift_code: z.optional(optionalText(20)),
  sort_code: z.optional(optionalText(20)),
  bsb_code: z.optional(optionalText(20)),
  bank_name: z.optional(optionalText(200)),
  bank_address: z.optional(optionalText(500)),
})

export const getBankStatus = call({
  method: 'GET',
  path: '/api/seller/bank-status',
  access: 'user',
  says: 'Whether bank details are saved, and their last four digits',
  reply: z.object({
    hasBankAccount: z.boolean(),
    bankDetails: z.nullable(z.object({ account_holder_name: z.string(), account_number_last4: z.string() })),
  }),
})

export const getStripeConnectStatus = call({
  method: 'GET',
  path: '/api/seller/stripe-connect-status',
  access: 'user',
  says: 'Whether a connected account exists and can receive',
  reply: z.object({ hasAccount: z.boolean(), canReceivePayments: z.boolean() }),
})

export const setUpStripeConnect = call({
  method: 'POST',
  path: '/api/seller/setup-stripe-connect',
  access: 'user',
  says: 'Opens the onboarding of a connected account',
  body: z.object({ country: z._default(z.enum(SELLER_COUNTRIES), 'MY') }),
  reply: z.object({ onboardingUrl: z.string() }),
  refuses: ['provider_failed'],
})

export const saveBankAccount = call({
  method: 'POST',
  path: '/api/seller/save-bank-account',
  access: 'user',
  says: 'Saves bank details, encrypted',
  body: BankAccount,
  reply: Done,
})

export const resetStripeConnect = call({
  method: 'POST',
  path: '/api/seller/reset-stripe-connect',
  access: 'user',
  says: 'Forgets the connected account, so that set-up can begin anew',
  reply: Done,
})
