import { roundToStep } from './money.ts'

/** Stripe's list prices for domestic cards, in the smallest unit of the currency (ADR 38). */
interface Pricing {
  /** In hundredths of a percent. */
  rate: number
  fixed: number
}

const DEFAULT_PRICING: Pricing = { rate: 290, fixed: 30 }

const PRICING: Record<string, Pricing> = {
  usd: DEFAULT_PRICING,
  cad: DEFAULT_PRICING,
  eur: { rate: 150, fixed: 25 },
  gbp: { rate: 150, fixed: 20 },
  aud: { rate: 170, fixed: 30 },
  sgd: { rate: 340, fixed: 50 },
  myr: { rate: 300, fixed: 100 },
  jpy: { rate: 360, fixed: 0 },
  huf: { rate: 150, fixed: 8_500 },
}

/** Stripe's list prices for methods that do not cost the same as cards. */
const METHOD_PRICING: Record<string, Pricing & { most?: number }> = {
  bancontact: { rate: 140, fixed: 25 },
  ideal: { rate: 0, fixed: 29 },
  klarna: { rate: 599, fixed: 30 },
  sepa_debit: { rate: 0, fixed: 35 },
  us_bank_account: { rate: 80, fixed: 0, most: 500 },
}

export interface Fee {
  amount: number
  description: string
}

export function processingFee(amount: number, currency: string, method: string): Fee {
  const pricing: Pricing & { most?: number } = METHOD_PRICING[method] ?? PRICING[currency] ?? DEFAULT_PRICING
  const price = roundToStep((amount * pricing.rate) / 10_000 + pricing.fixed, currency)
  return { amount: Math.min(price, pricing.most ?? price), description: 'Stripe processing fees' }
}

/** The fee in the United States; the sandbox charges the same number in every currency. */
export const DISPUTE_FEE: Fee = { amount: 1_500, description: 'Dispute fee' }
