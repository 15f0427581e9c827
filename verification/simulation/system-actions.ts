import { randomUUID } from 'node:crypto'
import { refundBuyer } from '@sought/server/features/money/payments/refunds'
import { paySeller } from '@sought/server/features/money/payouts/send-payouts'
import { intentOf } from '@sought/server/market-builder/card-browser'
import type { Services } from '@sought/server/services'
import type { Weighted } from './actions.ts'
import type { InProcessMarket, SweepName } from './in-process-market.ts'
import { type Action, type Answer, isUnknown, outcomeOf, type Schedule } from './market.ts'

/*
 * Actions of the system itself: moving the clock, running sweeps and jobs at bad times, and delivering events
 * directly.
 */

export interface InProcessSchedule extends Schedule {
  market: InProcessMarket
}

type InsideDeed = (schedule: InProcessSchedule) => Promise<void>

const MINUTE_MS = 60_000
/**
 * In production, sweeps run while time passes. Here, a round must be shorter than the three days for which sweeps
 * keep events.
 */
const LONGEST_ROUND_MS = 60 * 60 * MINUTE_MS

const moveClock: InsideDeed = async ({ market, random, log }) => {
  const byMs = random.weighted([
    [5 * MINUTE_MS, 4],
    [70 * MINUTE_MS, 3],
    // Longer than the provider keeps an idempotency key.
    [25 * 60 * MINUTE_MS, 2],
    [48 * 60 * MINUTE_MS, 1],
  ])
  if (market.roundMs() + byMs > LONGEST_ROUND_MS) return
  market.moveClock(byMs)
  log.push(`${Math.round(byMs / MINUTE_MS)} minutes later`)
  market.counters.count('system', 'moved the clock')
}

const runSweep: InsideDeed = async ({ market, random, log }) => {
  const name = random.pick([
    'release-due',
    'release-due',
    'fetch-missed-events',
    'retry-parked-events',
    'sync-pending-payments',
    'retry-payouts',
    'retry-refunds',
    'cancel-unshipped',
    'remind-sellers',
    'check-trackers',
    'reconcile',
  ] satisfies SweepName[])
  market.counters.count('system', `sweep ${name}`)
  log.push(`sweep ${name}`)
  await market.sweep(name)
}

const runJobs: InsideDeed = async ({ market, log }) => {
  market.counters.count('system', 'ran the jobs')
  log.push('jobs')
  await market.runJobs()
}

/** A job whose worker seemed dead runs twice concurrently. */
const runJobsTwice: InsideDeed = async ({ market, deal, log }) => {
  const { paymentId } = deal
  const { rows } = await market.sql.query<{ id: number }>('select id from payouts where payment_id = $1', [
    paymentId,
  ])
  const jobs = rows.map(
    ({ id }) =>
      (services: Services) =>
        paySeller(services, id),
  )
  if (paymentId !== null) jobs.push((services) => refundBuyer(services, paymentId))
  log.push(`${jobs.length} jobs twice`)
  market.counters.count('system', 'ran a job twice')
  await Promise.all(jobs.flatMap((job) => [market.runOnServer(job), market.runOnServer(job)]))
}

/** A running server accepts every signed event. */
const isRefused = (answer: Answer) => outcomeOf(answer) !== 'ok' && !isUnknown(answer)

/** Delivers the same event several times concurrently, whether or not the intent was paid. */
const deliverCopies: InsideDeed = async ({ market, deal, random, log, violations }) => {
  if (deal.secrets.length === 0) return
  const intentId = intentOf(random.pick(deal.secrets))
  const object = { id: intentId, object: 'payment_intent', amount: 1, status: 'succeeded' }
  const event = {
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object },
  }
  const copies = 1 + random.below(3)
  const answers = await Promise.all(Array.from({ length: copies }, () => market.deliver(event)))
  log.push(`payment_intent.succeeded, ${copies} copies`)
  market.counters.count('webhooks', 'copies', copies)
  if (answers.some(isRefused)) violations.push('a signed event was refused')
}

/** An event about an object that is not ours. */
const deliverForeignEvent: InsideDeed = async ({ market, random, violations }) => {
  const [type, id] = random.pick([
    ['payment_intent.succeeded', 'pi_of_somebody_else'],
    ['charge.dispute.created', 'du_of_somebody_else'],
    ['account.updated', 'acct_of_somebody_else'],
    ['invoice.paid', 'in_of_somebody_else'],
  ] as const)
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, data: { object: { id } } }
  market.counters.count('webhooks', 'not ours')
  if (isRefused(await market.deliver(event))) violations.push('a signed event was refused')
}

const cancelIntent: InsideDeed = async ({ market, deal, random, log }) => {
  if (deal.secrets.length === 0) return
  const intentId = intentOf(random.pick(deal.secrets))
  const { status } = await market.askProvider(`/v1/payment_intents/${intentId}/cancel`, {})
  log.push(`intent canceled: ${status}`)
  market.counters.count('system', 'canceled an intent')
}

/** Currencies that the provider converts: prices into the platform's, and payouts into those of sellers abroad. */
const CONVERTED = [
  ['myr', 'usd'],
  ['eur', 'usd'],
  ['usd', 'eur'],
  ['usd', 'gbp'],
] as const

const moveRate: InsideDeed = async ({ market, random, log }) => {
  const [from, to] = random.pick(CONVERTED)
  const rate = ((20 + random.below(180)) / 100).toFixed(2)
  const { status } = await market.askProvider('/v1/test_helpers/exchange_rates', { from, to, rate })
  log.push(`${from} is worth ${rate} ${to}: ${status}`)
  market.counters.count('system', 'moved a rate')
}

/** These actions run only in schedules of an in-process market. */
const asActions = (actions: readonly (readonly [InsideDeed, number])[]): Weighted =>
  actions.map(([action, weight]) => [action as Action, weight])

const afterPayment = asActions([
  [runSweep, 4],
  [runJobs, 2.5],
  [moveClock, 2.5],
  [runJobsTwice, 1.5],
  [deliverCopies, 1.5],
  [deliverForeignEvent, 0.1],
  [cancelIntent, 0.3],
  [moveRate, 1.5],
])

export const systemActions = {
  agreed: asActions([[deliverForeignEvent, 0.2]]),
  started: asActions([
    [runSweep, 1],
    [moveClock, 0.7],
    [deliverCopies, 1],
    [cancelIntent, 0.4],
    [moveRate, 0.5],
  ]),
  charged: afterPayment,
  disputed: afterPayment,
}
