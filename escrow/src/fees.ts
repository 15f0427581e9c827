import { assertAmount, calculateShare, type Rounding, roundDown } from './amount.ts'

/** How the amount of a sale is split between fees and the seller (ADR 3). */
export interface Fees {
  platformFee: number
  processingFee: number
  payout: number
}

/** The fees of a deal. A hundred basis points are one percent. */
export interface FeeRates {
  platformFeeBasisPoints: number
  processingFeeBasisPoints: number
  processingFeeCents: number
  /** The platform fee is never lower, unless the amount is. */
  minimumFeeCents: number
}

/** For amounts of at least `from`, the platform fee is this percentage of the whole amount. */
export interface FeeTier {
  from: number
  percent: number
}

/** The fees of a market. */
export interface MarketFees extends FeeRates {
  /** Smallest amount first. Amounts below the first tier pay `platformFeeBasisPoints`. */
  feeTiers: FeeTier[]
}

/** The default fees of a market, for dollars. */
export const STANDARD_FEES: MarketFees = {
  platformFeeBasisPoints: 300,
  processingFeeBasisPoints: 290,
  processingFeeCents: 30,
  minimumFeeCents: 0,
  feeTiers: [],
}

/** The fees of a deal with this price. They stay the same when only a part of the price goes to the seller. */
export function ratesOfDeal(price: number, { feeTiers, ...rates }: MarketFees): FeeRates {
  const tier = feeTiers.findLast(({ from }) => from <= price)
  return tier ? { ...rates, platformFeeBasisPoints: Math.round(tier.percent * 100) } : rates
}

/**
 * Splits an amount into two fees and the payout. The three parts always sum to the amount.
 * If the amount is smaller than the fees, the fees are reduced so that the payout is never negative. What rounding the
 * payout leaves goes to the platform fee.
 */
export function calculateFees(
  amount: number,
  fees: FeeRates | MarketFees,
  { step, payoutStep }: Rounding,
): Fees {
  assertAmount(amount)
  const rates = 'feeTiers' in fees ? ratesOfDeal(amount, fees) : fees
  const platformFee = Math.min(
    amount,
    Math.max(rates.minimumFeeCents, calculateShare(amount, rates.platformFeeBasisPoints, step)),
  )
  const processingFee = Math.min(
    amount - platformFee,
    calculateShare(amount, rates.processingFeeBasisPoints, step) + rates.processingFeeCents,
  )
  const payout = roundDown(amount - platformFee - processingFee, payoutStep)
  return { platformFee: amount - processingFee - payout, processingFee, payout }
}

const HIGHEST_PROCESSING_BASIS_POINTS = 340

/**
 * The upper limit of the processing fee in the order summary, whose fixed part depends on the currency. At least as
 * high as the actual fee.
 */
export function findHighestProcessing(rates: FeeRates, highestFlat: number) {
  return {
    basisPoints: Math.max(HIGHEST_PROCESSING_BASIS_POINTS, rates.processingFeeBasisPoints),
    flat: Math.max(highestFlat, rates.processingFeeCents),
  }
}

export function calculateMaxProcessing(
  amount: number,
  rates: FeeRates,
  highestFlat: number,
  { step }: Rounding,
): number {
  assertAmount(amount)
  const { basisPoints, flat } = findHighestProcessing(rates, highestFlat)
  return calculateShare(amount, basisPoints, step) + flat
}
