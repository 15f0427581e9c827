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
}

export interface Fee {
  amount: number
  description: string
}

export function processingFee(amount: number, currency: string): Fee {
  const { rate, fixed } = PRICING[currency] ?? DEFAULT_PRICING
  return { amount: Math.round((amount * rate) / 10_000) + fixed, description: 'Stripe processing fees' }
}

/** The fee in the United States; the sandbox charges the same number in every currency. */
export const DISPUTE_FEE: Fee = { amount: 1_500, description: 'Dispute fee' }
