import * as z from 'zod/mini'

/** What an event summary: which lists to read again. */
export const Change = z.object({
  about: z.enum(['messages', 'offers', 'payments', 'notifications', 'everything']),
})
export type Change = z.output<typeof Change>
