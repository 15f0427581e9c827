import { randomUUID } from 'node:crypto'
import { refundBuyer } from '@sought/server/features/payments/refunds'
import { paySeller } from '@sought/server/features/payouts/send-payouts'
import type { Services } from '@sought/server/platform/services'
import type { Weighted } from './actions.ts'
import type { InProcessMarket, SweepName } from './in-process-market.ts'
import { type Answer, type Deed, intentOf, isUnsure, outcomeOf, type Scene } from './market.ts'

/*
 * What only somebody inside can do: turn the clock, run sweeps and jobs whenever it suits least, and deliver
 * events by hand.
 */

export interface InsideScene extends Scene {
  market: InProcessMarket
}

type InsideDeed = (scene: InsideScene) => Promise<void>

const MINUTE_MS = 60_000
/** In life the sweeps run on while time passes: what they keep for three days must not get older than that here. */
const LONGEST_ROUND_MS = 60 * 60 * MINUTE_MS

const turnClock: InsideDeed = async ({ market, random, story }) => {
  const byMs = random.weighted([
    [5 * MINUTE_MS, 4],
    [70 * MINUTE_MS, 3],
    // Past the time for which the provider remembers a key.
    [25 * 60 * MINUTE_MS, 2],
    [48 * 60 * MINUTE_MS, 1],
  ])
  if (market.roundMs() + byMs > LONGEST_ROUND_MS) return
  market.turnClock(byMs)
  story.push(`${Math.round(byMs / MINUTE_MS)} minutes later`)
  market.tally.count('inside', 'turned the clock')
}

const someSweep: InsideDeed = async ({ market, random, story }) => {
  const name = random.pick([
    'release-due',
    'release-due',
    'fetch-missed-events',
    'retry-parked-events',
    'sync-pending-payments',
    'retry-payouts',
    'retry-refunds',
  ] satisfies SweepName[])
  market.tally.count('inside', `sweep ${name}`)
  story.push(`sweep ${name}`)
  await market.sweep(name)
}

const runJobs: InsideDeed = async ({ market, story }) => {
  market.tally.count('inside', 'ran the jobs')
  story.push('jobs')
  await market.runJobs()
}

/** A job whose worker was thought dead runs twice at once. What it throws would be the worker's to log. */
const runTwice: InsideDeed = async ({ market, deal, story }) => {
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
  story.push(`${jobs.length} jobs twice`)
  market.tally.count('inside', 'ran a job twice at once')
  await Promise.all(jobs.flatMap((job) => [market.work(job), market.work(job)]))
}

/** A signed event is always taken in, by whoever lives and has room. */
const isTurnedAway = (answer: Answer) => outcomeOf(answer) !== 'ok' && !isUnsure(answer)

/** The same event several times at the same moment, whether or not it is true. */
const deliverAtOnce: InsideDeed = async ({ market, deal, random, story, wrong }) => {
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
  story.push(`payment_intent.succeeded by hand, ${copies} times`)
  market.tally.count('webhooks', 'by hand', copies)
  if (answers.some(isTurnedAway)) wrong.push('a signed event was turned away')
}

/** An event about something that is not ours. */
const deliverStrange: InsideDeed = async ({ market, random, wrong }) => {
  const [type, id] = random.pick([
    ['payment_intent.succeeded', 'pi_of_somebody_else'],
    ['charge.dispute.created', 'du_of_somebody_else'],
    ['account.updated', 'acct_of_somebody_else'],
    ['invoice.paid', 'in_of_somebody_else'],
  ] as const)
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, data: { object: { id } } }
  market.tally.count('webhooks', 'of somebody else')
  if (isTurnedAway(await market.deliver(event))) wrong.push('a signed event was turned away')
}

const cancelIntent: InsideDeed = async ({ market, deal, random, story }) => {
  if (deal.secrets.length === 0) return
  const { status } = await market.cancelIntent(intentOf(random.pick(deal.secrets)))
  story.push(`intent canceled: ${status}`)
  market.tally.count('inside', 'canceled an intent')
}

/** Beside what people do. The deeds of the inside are played on the inside's scene only. */
const asDeeds = (deeds: readonly (readonly [InsideDeed, number])[]): Weighted =>
  deeds.map(([deed, weight]) => [deed as Deed, weight])

const whilePaid = asDeeds([
  [someSweep, 4],
  [runJobs, 2.5],
  [turnClock, 2.5],
  [runTwice, 1.5],
  [deliverAtOnce, 1.5],
  [deliverStrange, 0.1],
  [cancelIntent, 0.3],
])

export const inside = {
  agreed: asDeeds([[deliverStrange, 0.2]]),
  started: asDeeds([
    [someSweep, 1],
    [turnClock, 0.7],
    [deliverAtOnce, 1],
    [cancelIntent, 0.4],
  ]),
  charged: whilePaid,
  disputed: whilePaid,
}
