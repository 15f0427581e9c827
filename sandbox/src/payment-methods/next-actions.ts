import type Stripe from 'stripe'
import type { Tx } from '../database.ts'
import { randomAlphanumeric } from '../ids.ts'
import { toUnixSeconds } from '../objects.ts'
import type { MethodType } from './method-types.ts'

type NextAction = Stripe.PaymentIntent.NextAction

interface Action {
  type: MethodType
  /** The page of the sandbox where the customer acts. */
  url: string
  returnUrl: string | null
  /** When a voucher expires, in Unix seconds. */
  deadline: number
}

/** What the customer has to do before the payment can go on. */
export function buildNextAction(tx: Tx, { type, url, returnUrl, deadline }: Action): NextAction {
  switch (type) {
    case 'us_bank_account':
      return {
        type: 'verify_with_microdeposits',
        verify_with_microdeposits: {
          arrival_date: toUnixSeconds(tx.now) + 86_400,
          hosted_verification_url: url,
          microdeposit_type: 'amounts',
        },
      }
    case 'boleto':
      return {
        type: 'boleto_display_details',
        boleto_display_details: {
          expires_at: deadline,
          hosted_voucher_url: url,
          number: '01010101010101010101010101010101010101010101010',
          pdf: url,
        },
      }
    case 'konbini':
      return {
        type: 'konbini_display_details',
        konbini_display_details: { expires_at: deadline, hosted_voucher_url: url, stores: konbiniStores() },
      }
    case 'multibanco':
      return {
        type: 'multibanco_display_details',
        multibanco_display_details: {
          entity: '12345',
          expires_at: deadline,
          hosted_voucher_url: url,
          reference: digits(9),
        },
      }
    case 'oxxo':
      return {
        type: 'oxxo_display_details',
        oxxo_display_details: { expires_after: deadline, hosted_voucher_url: url, number: digits(32) },
      }
    default:
      return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
  }
}

const digits = (length: number) =>
  [...randomAlphanumeric(length)].map((letter) => letter.charCodeAt(0) % 10).join('')

function konbiniStores(): Stripe.PaymentIntent.NextAction.KonbiniDisplayDetails.Stores {
  const store = () => ({ confirmation_number: digits(11), payment_code: digits(6) })
  return { familymart: store(), lawson: store(), ministop: store(), seicomart: store() }
}

const BANK: Stripe.Address = {
  city: 'San Francisco',
  country: 'US',
  line1: '354 Oyster Point Boulevard',
  line2: null,
  postal_code: '94080',
  state: 'CA',
}

interface Transfer {
  amount: number
  currency: string
  url: string
  reference: string
}

/** Tells the customer where to send money. */
export function buildTransferInstructions({ amount, currency, url, reference }: Transfer): NextAction {
  return {
    type: 'display_bank_transfer_instructions',
    display_bank_transfer_instructions: {
      amount_remaining: amount,
      currency,
      financial_addresses: [financialAddress(currency)],
      hosted_instructions_url: url,
      reference,
      type: TRANSFER_TYPES[currency] ?? 'us_bank_transfer',
    },
  }
}

export const TRANSFER_TYPES: Record<string, string> = {
  eur: 'eu_bank_transfer',
  gbp: 'gb_bank_transfer',
  jpy: 'jp_bank_transfer',
  mxn: 'mx_bank_transfer',
  usd: 'us_bank_transfer',
}

function financialAddress(
  currency: string,
): Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions.FinancialAddress {
  const holder = {
    account_holder_address: BANK,
    account_holder_name: 'STRIPE TEST BANK',
    bank_address: BANK,
  }
  switch (currency) {
    case 'eur':
      return {
        iban: { ...holder, bic: 'AGRIFRPPXXX', country: 'FR', iban: 'FR1420041010050500013M02606' },
        supported_networks: ['sepa'],
        type: 'iban',
      }
    case 'gbp':
      return {
        sort_code: { ...holder, account_number: '00012345', sort_code: '108800' },
        supported_networks: ['bacs', 'fps'],
        type: 'sort_code',
      }
    case 'jpy':
      return {
        supported_networks: ['zengin'],
        type: 'zengin',
        zengin: {
          ...holder,
          account_number: '0001234',
          account_type: 'futsu',
          bank_code: '1100',
          bank_name: 'STRIPE TEST BANK',
          branch_code: '000',
          branch_name: 'STRIPE TEST BRANCH',
        },
      }
    case 'mxn':
      return {
        spei: { ...holder, bank_code: '002', bank_name: 'STRIPE TEST BANK', clabe: '002180650612345670' },
        supported_networks: ['spei'],
        type: 'spei',
      }
    default:
      return {
        aba: {
          ...holder,
          account_number: '000123456789',
          account_type: 'checking',
          bank_name: 'STRIPE TEST BANK',
          routing_number: '110000000',
        },
        supported_networks: ['ach', 'domestic_wire_us'],
        type: 'aba',
      }
  }
}
