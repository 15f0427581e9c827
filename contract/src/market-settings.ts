import * as z from 'zod/mini'
import { CATEGORIES } from './constants.ts'

/**
 * - open: everything works.
 * - read_only: nothing can be changed, except by signing in and out and in these settings.
 * - maintenance: only admins can use the market.
 */
export const MARKET_MODES = ['open', 'read_only', 'maintenance'] as const

/** What an operator decides about the market. Fees are separate, because they change at a set time. */
export const MarketSettings = z.object({
  name: z._default(z.string(), 'Sought'),
  categories: z._default(z.array(z.string()), [...CATEGORIES]),
  mode: z._default(z.enum(MARKET_MODES), 'open'),
})
export type MarketSettings = z.output<typeof MarketSettings>
