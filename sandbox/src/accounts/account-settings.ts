import type Stripe from 'stripe'
import { newId } from '../ids.ts'

export const PAYOUT_INTERVALS = ['daily', 'manual', 'monthly', 'weekly'] as const
export type PayoutInterval = (typeof PAYOUT_INTERVALS)[number]

export interface PayoutSettings {
  interval: PayoutInterval
  delayDays: number
  debitNegativeBalances: boolean
}

/** The settings of an account; only those for payouts have an effect. */
export function buildSettings(payouts: PayoutSettings): Stripe.Account.Settings & {
  payouts: Stripe.Account.Settings.Payouts
} {
  return {
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_payments: {
      decline_on: { avs_failure: false, cvc_failure: false },
      statement_descriptor_prefix: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: null, timezone: 'Etc/UTC' },
    payments: {
      statement_descriptor: null,
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    payouts: {
      debit_negative_balances: payouts.debitNegativeBalances,
      schedule: { delay_days: payouts.delayDays, interval: payouts.interval },
      statement_descriptor: null,
    },
  }
}

/** Stripe's test bank accounts in the US and in Europe, each with the failure code of payouts to it (ADR 38). */
export const TEST_BANK_ACCOUNTS: Record<string, string | null> = {
  '000123456789': null,
  '000111111116': 'no_account',
  '000111111113': 'account_closed',
  '000222222227': 'insufficient_funds',
  '000333333335': 'debit_not_authorized',
  '000444444440': 'invalid_currency',
  DE89370400440532013000: null,
  DE62370400440532013001: 'no_account',
  DE89370400440532013002: 'account_closed',
  DE89370400440532013003: 'insufficient_funds',
  DE89370400440532013004: 'debit_not_authorized',
  DE89370400440532013005: 'invalid_currency',
}

export const WORKING_BANK_ACCOUNT = '000123456789'

interface BankAccount {
  account: string
  country: string
  currency: string
  number: string
}

export function buildBank({ account, country, currency, number }: BankAccount): Stripe.BankAccount {
  return {
    id: newId('ba'),
    object: 'bank_account',
    account,
    account_holder_name: null,
    account_holder_type: null,
    account_type: null,
    available_payout_methods: ['standard'],
    bank_name: 'STRIPE TEST BANK',
    country,
    currency,
    default_for_currency: true,
    fingerprint: null,
    last4: number.slice(-4),
    metadata: {},
    routing_number: '110000000',
    status: 'new',
  }
}

/** The list of external accounts with one test bank account. */
export const buildExternalAccounts = (bank: BankAccount): Stripe.ApiList<Stripe.ExternalAccount> => ({
  object: 'list',
  data: [buildBank(bank)],
  has_more: false,
  url: `/v1/accounts/${bank.account}/external_accounts`,
})
