/** Stripe's list prices for domestic cards, in the smallest unit of the currency (ADR 38). */
interface Pricing {
  /** In hundredths of a percent. */
  rate: number
  fixed: number
  dispute: number
}

const DEFAULT_PRICING: Pricing = { rate: 290, fixed: 30, dispute: 1_500 }

const PRICING: Record<string, Pricing> = {
  usd: DEFAULT_PRICING,
  cad: DEFAULT_PRICING,
  eur: { rate: 150, fixed: 25, dispute: 2_000 },
  gbp: { rate: 150, fixed: 20, dispute: 2_000 },
  aud: { rate: 170, fixed: 30, dispute: 2_500 },
  sgd: { rate: 340, fixed: 50, dispute: 1_500 },
  myr: { rate: 300, fixed: 100, dispute: 6_000 },
}

export interface Fee {
  amount: number
  description: string
}

export function processingFee(amount: number, currency: string): Fee {
  const { rate, fixed } = PRICING[currency] ?? DEFAULT_PRICING
  return { amount: Math.round((amount * rate) / 10_000) + fixed, description: 'Stripe processing fees' }
}

export function disputeFee(currency: string): Fee {
  const { dispute } = PRICING[currency] ?? DEFAULT_PRICING
  return { amount: dispute, description: 'Dispute fee' }
}
