import * as z from 'zod/mini'

/** The market's fees for sellers. A hundred basis points are one percent. */
export const FeeRates = z.object({
  platformFeeBasisPoints: z.int(),
  processingFeeBasisPoints: z.int(),
  processingFeeCents: z.int(),
})
