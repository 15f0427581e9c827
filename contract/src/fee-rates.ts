import * as z from 'zod/mini'

/** What the market charges sellers. A hundred basis points are one percent. */
export const FeeRates = z.object({
  platformFeeBasisPoints: z.int(),
  processingFeeBasisPoints: z.int(),
  processingFeeCents: z.int(),
})
