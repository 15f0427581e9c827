import * as z from 'zod/mini'
import { callsOf } from './call.ts'

const call = callsOf({ subjects: ['disputes', 'payouts', 'refunds', 'moderation'], fresh: 'on open' })

/** Kinds of items that need a person, most urgent first. */
export const OVERVIEW_KINDS = [
  'dispute_overdue',
  'bank_deadline',
  'refund_failed',
  'manual_payout',
  'payout_unclaimed',
  'report',
  'reconciliation',
] as const

const OverviewEntry = z.object({
  kind: z.enum(OVERVIEW_KINDS),
  count: z.int(),
  /** The screen to handle it. */
  path: z.string(),
})
export type OverviewEntry = z.output<typeof OverviewEntry>

export const getOverview = call({
  method: 'GET',
  path: '/api/admin/overview',
  access: 'admin',
  summary: 'Lists the open work of the desk, most urgent first',
  reply: z.array(OverviewEntry),
})
