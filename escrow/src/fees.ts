import { assertAmount, calculateShare } from './amount.ts'

/** How the amount of a sale is split between fees and the seller (ADR 3). */
export interface Fees {
  platformCents: number
  processingCents: number
  payoutCents: number
}

/** The fees of a deal. A hundred basis points are one percent. */
export interface FeeRates {
  platformFeeBasisPoints: number
  processingFeeBasisPoints: number
  processingFeeCents: number
  /** The platform fee is never lower, unless the amount is. */
  minimumFeeCents: number
}

/** For amounts of at least `from` cents, the platform fee is this percentage of the whole amount. */
export interface FeeTier {
  from: number
  percent: number
}

/** The fees of a market. */
export interface MarketFees extends FeeRates {
  /** Smallest amount first. Amounts below the first tier pay `platformFeeBasisPoints`. */
  feeTiers: FeeTier[]
}

/** The default fees of a market. */
export const STANDARD_FEES: MarketFees = {
  platformFeeBasisPoints: 300,
  processingFeeBasisPoints: 290,
  processingFeeCents: 30,
  minimumFeeCents: 0,
  feeTiers: [],
}

/** The fees of a deal with this price. They stay the same when only a part of the price goes to the seller. */
export function ratesOfDeal(priceCents: number, { feeTiers, ...rates }: MarketFees): FeeRates {
  const tier = feeTiers.findLast(({ from }) => from <= priceCents)
  return tier ? { ...rates, platformFeeBasisPoints: Math.round(tier.percent * 100) } : rates
}

/**
 * Splits an amount into two fees and the payout. The three parts always sum to the amount.
 * If the amount is smaller than the fees, the fees are reduced so that the payout is never negative.
 */
export function calculateFees(amountCents: number, fees: FeeRates | MarketFees): Fees {
  assertAmount(amountCents)
  const rates = 'feeTiers' in fees ? ratesOfDeal(amountCents, fees) : fees
  const platformCents = Math.min(
    amountCents,
    Math.max(rates.minimumFeeCents, calculateShare(amountCents, rates.platformFeeBasisPoints)),
  )
  const processingCents = Math.min(
    amountCents - platformCents,
    calculateShare(amountCents, rates.processingFeeBasisPoints) + rates.processingFeeCents,
  )
  return { platformCents, processingCents, payoutCents: amountCents - platformCents - processingCents }
}

const HIGHEST_PROCESSING_BASIS_POINTS = 340
const HIGHEST_PROCESSING_FLAT_CENTS = 150

/** The upper limit of the processing fee in the order summary. At least as high as the actual fee. */
export function findHighestProcessing(rates: FeeRates) {
  return {
    basisPoints: Math.max(HIGHEST_PROCESSING_BASIS_POINTS, rates.processingFeeBasisPoints),
    flatCents: Math.max(HIGHEST_PROCESSING_FLAT_CENTS, rates.processingFeeCents),
  }
}

export function calculateMaxProcessingCents(amountCents: number, rates: FeeRates): number {
  assertAmount(amountCents)
  const { basisPoints, flatCents } = findHighestProcessing(rates)
  return calculateShare(amountCents, basisPoints) + flatCents
}
