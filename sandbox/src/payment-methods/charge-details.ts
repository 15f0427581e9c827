import type Stripe from 'stripe'
import { newId, randomAlphanumeric } from '../ids.ts'

type Details = Stripe.Charge.PaymentMethodDetails

/** What a charge shows about its payment method. */
export function buildDetails(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Details {
  const { type } = method
  return { ...detailsOf(intent, method, authenticated), type }
}

function detailsOf(
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  authenticated: boolean,
): Omit<Details, 'type'> {
  switch (method.type) {
    case 'bancontact':
      return {
        bancontact: {
          bank_code: 'VAPE',
          bank_name: 'VAN DE PUT & CO',
          bic: 'VAPEBE22',
          generated_sepa_debit: null,
          generated_sepa_debit_mandate: null,
          iban_last4: '7061',
          preferred_language: 'en',
          verified_name: method.billing_details.name,
        },
      }
    case 'boleto':
      return { boleto: { tax_id: method.boleto?.tax_id ?? '' } }
    case 'fpx':
      return {
        fpx: {
          account_holder_type: method.fpx?.account_holder_type ?? null,
          bank: method.fpx?.bank ?? '',
          transaction_id: randomAlphanumeric(16),
        },
      }
    case 'ideal':
      return {
        ideal: {
          bank: method.ideal?.bank ?? 'ing',
          bic: 'INGBNL2A',
          generated_sepa_debit: null,
          generated_sepa_debit_mandate: null,
          iban_last4: '5264',
          transaction_id: randomAlphanumeric(16),
          verified_name: method.billing_details.name,
        },
      }
    case 'klarna':
      return {
        klarna: {
          payer_details: { address: { country: method.billing_details.address?.country ?? null } },
          payment_method_category: 'pay_later',
          preferred_locale: 'en-US',
        },
      }
    case 'konbini':
      return { konbini: { store: { chain: 'lawson' } } }
    case 'link':
      return { link: { country: method.billing_details.address?.country ?? null } }
    case 'multibanco': {
      const shown = intent.next_action?.multibanco_display_details
      return { multibanco: { entity: shown?.entity ?? null, reference: shown?.reference ?? null } }
    }
    case 'oxxo':
      return { oxxo: { number: intent.next_action?.oxxo_display_details?.number ?? null } }
    case 'sepa_debit':
      return {
        sepa_debit: {
          bank_code: method.sepa_debit?.bank_code ?? null,
          branch_code: null,
          country: method.sepa_debit?.country ?? null,
          fingerprint: method.sepa_debit?.fingerprint ?? null,
          last4: method.sepa_debit?.last4 ?? null,
          mandate: newId('mandate'),
        },
      }
    case 'us_bank_account':
      return {
        us_bank_account: {
          account_holder_type: method.us_bank_account?.account_holder_type ?? null,
          account_type: method.us_bank_account?.account_type ?? null,
          bank_name: method.us_bank_account?.bank_name ?? null,
          fingerprint: method.us_bank_account?.fingerprint ?? null,
          last4: method.us_bank_account?.last4 ?? null,
          mandate: newId('mandate'),
          payment_reference: randomAlphanumeric(15),
          routing_number: method.us_bank_account?.routing_number ?? null,
        },
      }
    case 'customer_balance':
      return { customer_balance: {} }
    default:
      return { card: buildCardDetails(intent.amount, method, authenticated) }
  }
}

function buildCardDetails(
  amount: number,
  { card }: Stripe.PaymentMethod,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card?.checks?.cvc_check ? 'pass' : null,
    },
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 0,
    exp_year: card?.exp_year ?? 0,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: newId('3ds'),
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  }
}
