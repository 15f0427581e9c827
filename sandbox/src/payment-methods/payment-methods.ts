import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import * as z from 'zod'
import type { Tx } from '../database.ts'
import { invalidRequest, notFound } from '../http/api-error.ts'
import { type Call, route } from '../http/route.ts'
import { newId } from '../ids.ts'
import type { HiddenMethod } from '../kinds.ts'
import { getObject, insertObject, type Stored, toUnixSeconds } from '../objects.ts'
import { detectBrand, findCardByToken, identifyCard, type TestCard } from '../payments/cards.ts'
import { MethodData } from './method-data.ts'
import { ruleOf } from './method-types.ts'
import {
  findAccountByToken,
  findIban,
  findUsAccount,
  SUCCESS,
  US_TEST_ROUTING,
  voucherOutcome,
} from './test-values.ts'

type DataOf<Type extends MethodData['type']> = Extract<MethodData, { type: Type }>

/**
 * Stores what the API shows of a payment method, and how a payment with it ends. The numbers of cards and bank
 * accounts are never stored.
 */
export async function createMethod(tx: Tx, data: MethodData): Promise<Stored<'payment_method'>> {
  checkBillingDetails(data)
  const { parts, hidden } = describeMethod(tx, data)
  return storeMethod(tx, data, parts, hidden)
}

/** A token such as `pm_card_visa` creates a new payment method; other ids must exist. */
export async function findOrCreateMethod(tx: Tx, id: string): Promise<Stored<'payment_method'>> {
  if (id.startsWith('pm_card_')) return createCardByToken(tx, id)
  const account = findAccountByToken(id)
  if (!account) return getObject(tx, 'payment_method', id, 'payment_method')
  const billing_details = { name: 'Jenny Rosen', email: 'jenny@example.com' }
  const data: MethodData = id.startsWith('pm_usBankAccount_')
    ? {
        type: 'us_bank_account',
        us_bank_account: { account_number: account.number, routing_number: US_TEST_ROUTING },
        billing_details,
      }
    : { type: 'sepa_debit', sepa_debit: { iban: account.number }, billing_details }
  // The bank accounts of tokens are verified.
  return storeMethod(tx, data, describeMethod(tx, data).parts, { outcome: account.outcome })
}

function createCardByToken(tx: Tx, id: string): Promise<Stored<'payment_method'>> {
  const card = findCardByToken(id)
  if (!card) throw notFound('PaymentMethod', id, 'payment_method')
  const expiry = { exp_month: 12, exp_year: tx.now.getUTCFullYear() + 3 }
  const data: DataOf<'card'> = { type: 'card', card: { number: card.number, ...expiry, cvc: '123' } }
  return storeMethod(tx, data, { card: buildCard(card, data.card) }, { card: card.name })
}

function checkBillingDetails({ type, billing_details }: MethodData): void {
  for (const field of ruleOf(type).needs ?? []) {
    if (billing_details?.[field]) continue
    const param = `billing_details[${field}]`
    throw invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
}

interface Described {
  /** The part of the object that depends on its type. */
  parts: Partial<Stripe.PaymentMethod>
  hidden: HiddenMethod
}

function describeMethod(tx: Tx, data: MethodData): Described {
  switch (data.type) {
    case 'card': {
      const card = identifyCard(data.card, tx.now)
      return { parts: { card: buildCard(card, data.card) }, hidden: { card: card.name } }
    }
    case 'ideal': {
      const bank = data.ideal?.bank ?? null
      return { parts: { ideal: { bank, bic: bank && 'INGBNL2A' } }, hidden: { outcome: SUCCESS } }
    }
    case 'fpx': {
      const { bank, account_holder_type } = data.fpx
      const fpx = { account_holder_type: account_holder_type ?? 'individual', bank }
      return { parts: { fpx }, hidden: { outcome: SUCCESS } }
    }
    case 'sepa_debit':
      return describeSepa(data)
    case 'us_bank_account':
      return describeUsAccount(data)
    case 'boleto':
      return { parts: { boleto: { tax_id: data.boleto.tax_id } }, hidden: { outcome: emailOutcome(data) } }
    case 'klarna':
      return { parts: { klarna: { dob: null } }, hidden: { outcome: SUCCESS } }
    case 'link':
      return {
        parts: { link: { email: data.billing_details?.email ?? null } },
        hidden: { outcome: SUCCESS },
      }
    case 'konbini':
    case 'multibanco':
    case 'oxxo':
      return { parts: { [data.type]: {} }, hidden: { outcome: emailOutcome(data) } }
    case 'bancontact':
    case 'customer_balance':
      return { parts: { [data.type]: {} }, hidden: { outcome: SUCCESS } }
  }
}

const emailOutcome = ({ billing_details }: MethodData) => voucherOutcome(billing_details?.email ?? '')

function describeSepa({ sepa_debit: { iban } }: DataOf<'sepa_debit'>): Described {
  const account = findIban(iban)
  if (!account) {
    throw invalidRequest(
      'The bank account IBAN you provided is invalid. The sandbox takes only test IBANs, such as AT611904300234573201.',
      { code: 'invalid_bank_account_iban', param: 'sepa_debit[iban]' },
    )
  }
  const sepa_debit = {
    bank_code: account.number.slice(4, 9),
    branch_code: null,
    country: account.number.slice(0, 2),
    fingerprint: fingerprintOf(account.token),
    generated_from: { charge: null, setup_attempt: null },
    last4: account.number.slice(-4),
  }
  return { parts: { sepa_debit }, hidden: { outcome: account.outcome } }
}

function describeUsAccount({ us_bank_account: given }: DataOf<'us_bank_account'>): Described {
  const account = findUsAccount(given.account_number)
  if (!account) {
    throw invalidRequest(
      'You cannot use a live bank account number when making transfers or debits in test mode',
      { code: 'account_number_invalid', param: 'us_bank_account[account_number]' },
    )
  }
  if (given.routing_number !== US_TEST_ROUTING) {
    throw invalidRequest('Invalid routing number', {
      code: 'routing_number_invalid',
      param: 'us_bank_account[routing_number]',
    })
  }
  const us_bank_account: Stripe.PaymentMethod.UsBankAccount = {
    account_holder_type: given.account_holder_type ?? 'individual',
    account_type: given.account_type ?? 'checking',
    bank_name: 'STRIPE TEST BANK',
    financial_connections_account: null,
    fingerprint: fingerprintOf(account.token),
    last4: account.number.slice(-4),
    networks: { preferred: 'ach', supported: ['ach'] },
    routing_number: US_TEST_ROUTING,
    status_details: {},
  }
  return { parts: { us_bank_account }, hidden: { outcome: { ...account.outcome, unverified: true } } }
}

/** A hash of a test value's name, so that real numbers are never stored, not even as a hash. */
const fingerprintOf = (name: string) => createHash('sha256').update(name).digest('base64url').slice(0, 16)

function storeMethod(
  tx: Tx,
  data: MethodData,
  parts: Partial<Stripe.PaymentMethod>,
  hidden: HiddenMethod,
): Promise<Stored<'payment_method'>> {
  const body: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: data.allow_redisplay ?? 'unspecified',
    billing_details: billingDetails(data.billing_details),
    created: toUnixSeconds(tx.now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: data.metadata ?? {},
    type: data.type,
    ...parts,
  }
  return insertObject(tx, 'payment_method', { body, hidden })
}

function billingDetails(given: MethodData['billing_details'] = {}): Stripe.PaymentMethod.BillingDetails {
  const { city, country, line1, line2, postal_code, state } = given.address ?? {}
  return {
    address: {
      city: city ?? null,
      country: country ?? null,
      line1: line1 ?? null,
      line2: line2 ?? null,
      postal_code: postal_code ?? null,
      state: state ?? null,
    },
    email: given.email ?? null,
    name: given.name ?? null,
    phone: given.phone ?? null,
    tax_id: null,
  }
}

function buildCard(card: TestCard, details: DataOf<'card'>['card']): Stripe.PaymentMethod.Card {
  const brand = detectBrand(card.number)
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: details.cvc === undefined ? null : 'unchecked',
    },
    country: 'US',
    display_brand: brand,
    exp_month: details.exp_month,
    exp_year: details.exp_year < 100 ? 2000 + details.exp_year : details.exp_year,
    fingerprint: fingerprintOf(card.name),
    funding: card.name.endsWith('debit') ? 'debit' : card.name.endsWith('prepaid') ? 'prepaid' : 'credit',
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}

async function retrieveMethod({ tx, id }: Call): Promise<Stripe.PaymentMethod> {
  return (await getObject(tx, 'payment_method', id)).body
}

/** Browsers send their publishable key as a parameter too. */
const CreateParams = z.preprocess((form) => {
  if (typeof form !== 'object' || form === null) return form
  const { key: _, ...data } = form as Record<string, unknown>
  return data
}, MethodData)

const createMethodFromCall = async ({ tx, params }: Call<z.output<typeof CreateParams>>) =>
  (await createMethod(tx, params)).body

export const paymentMethodRoutes = [
  route('POST', '/v1/payment_methods', CreateParams, createMethodFromCall, { publishable: true }),
  route('GET', '/v1/payment_methods/:id', z.strictObject({}), retrieveMethod),
]
