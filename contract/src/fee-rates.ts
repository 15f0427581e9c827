import * as z from 'zod/mini'

/** The fees of a deal, which its seller pays. A hundred basis points are one percent. */
export const FeeRates = z.object({
  platformFeeBasisPoints: z.int(),
  processingFeeBasisPoints: z.int(),
  processingFeeCents: z.int(),
  /** The platform fee is never lower, unless the amount is. */
  minimumFeeCents: z.int(),
})

/** From this amount in cents on, the platform fee is this percentage of the whole amount. */
export const FeeTier = z.object({ from: z.int(), percent: z.number() })

/** The fees of the market. Each deal keeps the rate for its amount. */
export const MarketFees = z.extend(FeeRates, { feeTiers: z.array(FeeTier) })
