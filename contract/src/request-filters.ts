import * as z from 'zod/mini'
import { optionalText } from './fields.ts'

export const Urgency = z.enum(['low', 'medium', 'high'])
export type Urgency = z.output<typeof Urgency>

/** The filters of requests, by the names they have in page addresses, forms, the API and saved searches. */
export const requestFilters = {
  search: z.optional(optionalText(200)),
  category: z.optional(optionalText(50)),
  urgency: z.optional(Urgency),
}
