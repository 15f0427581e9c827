import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import * as z from 'zod'
import { notFound } from './api-error.ts'
import { detectBrand, findCardByToken, identifyCard, type TestCard } from './cards.ts'
import type { Tx } from './database.ts'
import { newId } from './ids.ts'
import { getObject, insertObject, type Stored, toUnixSeconds } from './objects.ts'
import { address, integer, metadata, text } from './params.ts'
import { type Call, route } from './route.ts'

const BillingDetails = z.strictObject({
  address: address.optional(),
  email: z.string().optional(),
  name: z.string().optional(),
  phone: z.string().optional(),
})

/** The card data that the payment form in the browser sends. */
export const MethodData = z.strictObject({
  type: z.literal('card', 'The sandbox takes cards only'),
  card: z.strictObject({
    number: text,
    exp_month: integer,
    exp_year: integer,
    cvc: z.string().optional(),
  }),
  billing_details: BillingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
})

type MethodData = z.output<typeof MethodData>

/** Stores the brand, the last four digits and the name of the test card, but never the number. */
export function createMethod(tx: Tx, data: MethodData): Promise<Stored<'payment_method'>> {
  return storeMethod(tx, identifyCard(data.card, tx.now), data)
}

/** A token such as `pm_card_visa` creates a new payment method; other ids must exist. */
export async function findOrCreateMethod(tx: Tx, id: string): Promise<Stored<'payment_method'>> {
  if (!id.startsWith('pm_card_')) return getObject(tx, 'payment_method', id, 'payment_method')
  const card = findCardByToken(id)
  if (!card) throw notFound('PaymentMethod', id, 'payment_method')
  const expiry = { exp_month: 12, exp_year: tx.now.getUTCFullYear() + 3 }
  return storeMethod(tx, card, { type: 'card', card: { number: card.number, ...expiry, cvc: '123' } })
}

function storeMethod(tx: Tx, card: TestCard, data: MethodData): Promise<Stored<'payment_method'>> {
  const body: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: data.allow_redisplay ?? 'unspecified',
    billing_details: billingDetails(data.billing_details),
    card: buildCard(card, data.card),
    created: toUnixSeconds(tx.now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: data.metadata ?? {},
    type: 'card',
  }
  return insertObject(tx, 'payment_method', { body, hidden: { card: card.name } })
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

function buildCard(card: TestCard, details: MethodData['card']): Stripe.PaymentMethod.Card {
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
    // A hash of the card's name, so that real card numbers are never stored, not even as a hash.
    fingerprint: createHash('sha256').update(card.name).digest('base64url').slice(0, 16),
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

export const paymentMethodRoutes = [
  route('GET', '/v1/payment_methods/:id', z.strictObject({}), retrieveMethod),
]
