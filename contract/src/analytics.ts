import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { Currency } from './currency-code.ts'
import { DISPUTE_REASONS } from './dispute-draft.ts'

const call = callsOf({ subjects: ['requests', 'payments'], fresh: 'on open' })

const Count = z.int()
/** In the smallest unit of the currency. */
const SignedAmount = z.int()
const Seconds = z.int()

/** The figures, by the UTC day of their events. The screen explains each. */
const figures = {
  requests: Count,
  offers: Count,
  accepted: Count,
  paid: Count,
  released: Count,
  refunded: Count,
  partial: Count,
  disputed: Count,
  volume: SignedAmount,
  fees: SignedAmount,
  processingFees: SignedAmount,
  providerCosts: SignedAmount,
  losses: SignedAmount,
  goodwill: SignedAmount,
  newUsers: Count,
  returning: Count,
  answered: Count,
  answeredInTime: Count,
  answerSeconds: Seconds,
  ruled: Count,
  ruledInTime: Count,
  rulingSeconds: Seconds,
  settled: Count,
  withdrawn: Count,
  decidedByBank: Count,
}

export type Figure = keyof typeof figures
export const FIGURES = Object.keys(figures) as Figure[]

/** These are amounts, and are counted in each currency. */
export const MONEY_FIGURES: readonly Figure[] = FIGURES.filter((name) => figures[name] === SignedAmount)

const Figures = z.object(figures)
export type Figures = z.output<typeof Figures>

const NamedFigures = z.object({
  /** A category, or a country such as 'DE'. Empty if it is unknown. */
  name: z.string(),
  ...figures,
})
export type NamedFigures = z.output<typeof NamedFigures>

const PeriodFigures = z.object({
  /** The first day of the period. */
  period: z.iso.date(),
  ...figures,
})
export type PeriodFigures = z.output<typeof PeriodFigures>

const Analytics = z.object({
  totals: Figures,
  /** The figures of the previous period of the same length. */
  previous: Figures,
  /** Every day, week or month of the period, including those without figures. Weeks start on Monday. */
  series: z.array(PeriodFigures),
  /** Largest volume first. */
  categories: z.array(NamedFigures),
  countries: z.array(NamedFigures),
  /** The reasons of the disputes opened in the period, most frequent first. */
  reasons: z.array(z.object({ reason: z.enum(DISPUTE_REASONS), count: z.int() })),
})
export type Analytics = z.output<typeof Analytics>

export const ANALYTICS_YEARS_MAX = 5
const DAYS_MAX = ANALYTICS_YEARS_MAX * 366
const DAY_MS = 86_400_000

export const STEPS = ['day', 'week', 'month'] as const
export type Step = (typeof STEPS)[number]

export const getAnalytics = call({
  method: 'GET',
  path: '/api/admin/analytics',
  access: 'admin',
  summary: 'Counts what happened in the market from one day to another (UTC, both included)',
  query: z
    .object({
      from: z.iso.date(),
      to: z.iso.date(),
      by: z._default(z.enum(STEPS), 'day'),
      /** Of the amounts. By default, the market's first. */
      currency: z.optional(Currency),
    })
    .check(
      z.refine(({ from, to }) => from <= to, { path: ['to'], message: 'Must not be before the first day' }),
      z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) < DAYS_MAX * DAY_MS, {
        path: ['to'],
        message: `Must be at most ${ANALYTICS_YEARS_MAX} years after the first day`,
      }),
    ),
  reply: Analytics,
})
