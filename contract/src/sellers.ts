import { PAYOUT_STATUSES } from '@sought/escrow/payout-status'
import * as z from 'zod/mini'
import { BANK_PAYOUT_STATUSES } from './account-health.ts'
import { normalizeBankAccount, validateBankAccount } from './bank-account.ts'
import { callsOf } from './call.ts'
import { SELLER_COUNTRIES } from './constants.ts'
import { Currency } from './currency-code.ts'
import { Amount, Done, Id, idList, optionalText, PathId, pageLimit, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['payout-methods'], fresh: 'on open' })

/** The fields of the bank form. bank-account.ts defines which ones each country requires. */
export const BankAccount = z
  .object({
    account_holder_name: text(200),
    country: z._default(z.string().check(z.regex(/^[A-Z]{2}$/, 'Must be a two-letter country code')), 'US'),
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
  .check(
    z.overwrite(normalizeBankAccount),
    z.superRefine((form, context) => {
      for (const { field, message } of validateBankAccount(form)) {
        context.addIssue({ code: 'custom', path: [field], message, input: form[field] })
      }
    }),
  )
export type BankAccount = z.output<typeof BankAccount>

/** How long payouts wait after the payout account was changed. */
export const PAYOUT_WAIT_HOURS = 48

export const getBankStatus = call({
  method: 'GET',
  path: '/api/seller/bank-status',
  access: 'user',
  summary: 'Gets whether bank details are saved, their last four digits, and until when payouts wait',
  reply: z.object({
    hasBankAccount: z.boolean(),
    bankDetails: z.nullable(z.object({ account_holder_name: z.string(), account_number_last4: z.string() })),
    /** Set while payouts wait because the payout account was changed. */
    payoutsWaitUntil: z.optional(Timestamp),
    /** Set while payouts wait because the user is a new seller. */
    payoutsDelayedUntil: z.optional(Timestamp),
  }),
})

/** What the provider says about a connected account. */
const AccountHealth = z.object({
  canReceivePayments: z.boolean(),
  /** What the provider needs and until when. `what` says it in plain words, `field` is the provider's name. */
  requirements: z.array(z.object({ field: z.string(), what: z.string(), deadline: z.nullable(Timestamp) })),
  /** As the provider calls it. */
  disabledReason: z.nullable(z.string()),
  /** The latest payout of the account to the seller's bank. */
  lastPayout: z.nullable(
    z.object({
      status: z.enum(BANK_PAYOUT_STATUSES),
      /** Why it failed, as the provider calls it. */
      failure: z.nullable(z.string()),
      amount: Amount,
      /** May be a currency that the market does not use. */
      currency: z.string(),
      arrivalDate: Timestamp,
    }),
  ),
})

/** A seller's connected account, as the provider described it when it was last asked. */
export const PayoutAccount = z.extend(AccountHealth, {
  /** Null until the provider was asked. */
  readAt: z.nullable(Timestamp),
  /** When the account was closed or disconnected. */
  closedAt: z.nullable(Timestamp),
})
export type PayoutAccount = z.output<typeof PayoutAccount>

export const getStripeConnectStatus = call({
  method: 'GET',
  path: '/api/seller/stripe-connect-status',
  access: 'user',
  about: ['payout-methods', 'payments'],
  summary: 'Gets whether a connected account exists and can receive payments, and what the provider needs',
  reply: z.extend(AccountHealth, {
    hasAccount: z.boolean(),
    /** Opens the provider's dashboard, once. Null if the account has none yet. */
    loginUrl: z.nullable(z.string()),
    /** When the seller's former account was closed or disconnected. */
    closedAt: z.optional(Timestamp),
  }),
  refuses: ['provider_failed', 'too_many'],
})

export const setUpStripeConnect = call({
  method: 'POST',
  path: '/api/seller/setup-stripe-connect',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Starts the onboarding of a connected account',
  /** By default, the country of the platform. */
  body: z.object({ country: z.optional(z.enum(SELLER_COUNTRIES)) }),
  reply: z.object({ onboardingUrl: z.string() }),
  refuses: ['provider_failed', 'country_paid_manually', 'too_many'],
})

export const saveBankAccount = call({
  method: 'POST',
  path: '/api/seller/save-bank-account',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Saves bank details in encrypted form',
  body: BankAccount,
  reply: Done,
})

export const resetStripeConnect = call({
  method: 'POST',
  path: '/api/seller/reset-stripe-connect',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Disconnects the connected account so that setup can start again',
  reply: Done,
  refuses: ['too_many'],
})

/**
 * `owed` until the seller can be paid, `sending` during the transfer, then `paid`. `failed` if the seller's bank has
 * returned it; the provider sends it again.
 */
export const Payout = z.object({
  id: Id,
  paymentId: Id,
  itemTitle: z.string(),
  amount: Amount,
  currency: Currency,
  /** Null until the seller has set up payouts. */
  method: z.nullable(z.enum(['transfer', 'manual'])),
  status: z.enum([...PAYOUT_STATUSES, 'failed']),
  /** Why the bank has returned it, as the provider calls it. Only if it failed. */
  failure: z.optional(z.string()),
  createdAt: Timestamp,
  paidAt: z.nullable(Timestamp),
  /** Set if it is owed and waits: the payout account was changed, or the seller, the buyer or the card is new. */
  waitsUntil: z.optional(Timestamp),
  /** Set if a part was taken for the seller's debts. `amount` is the rest, or the whole payout if nothing was left. */
  debtAmount: z.optional(Amount),
})
export type Payout = z.output<typeof Payout>

const PAYOUTS_MAX = 100

export const listPayouts = call({
  method: 'GET',
  path: '/api/seller/payouts',
  access: 'user',
  about: ['payments'],
  summary: 'Lists payouts of the seller, newest first',
  query: z.object({
    /** Only the payouts of these deals. */
    paymentIds: z.optional(idList(PAYOUTS_MAX)),
    limit: pageLimit(PAYOUTS_MAX, PAYOUTS_MAX),
    cursor: z.optional(PathId),
  }),
  reply: z.array(Payout),
})
