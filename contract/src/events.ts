import * as z from 'zod/mini'

/** A server-sent event: which data the browser must refetch. */
export const Change = z.object({
  about: z.enum(['messages', 'offers', 'payments', 'notifications', 'everything']),
})
export type Change = z.output<typeof Change>
