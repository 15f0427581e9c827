import { Gauge, type Registry } from 'prom-client'
import { inTime } from '../../core/in-time.ts'
import type { Services } from '../../services.ts'
import { type MarketAmounts, type MarketFigures, readMarketFigures } from './market-queries.ts'

/** A process reads the figures at most once in this time, however often they are requested. */
const FIGURES_MAX_AGE_MS = 30_000
/** The other metrics do not wait longer, because they are most important when the database does not answer. */
const FIGURES_WITHIN_MS = 8_000

interface Definition {
  name: string
  help: string
  labels?: string[]
  values(figures: MarketFigures): { labels?: Record<string, string>; value: number }[]
}

const one = (read: (figures: MarketFigures) => number) => (figures: MarketFigures) => [
  { value: read(figures) },
]

/** One value for each currency. */
const inEach =
  (read: (amounts: MarketAmounts) => number) =>
  ({ amounts }: MarketFigures) =>
    amounts.map((it) => ({ labels: { currency: it.currency }, value: read(it) }))

/** The values describe the whole database, so every process reports the same. */
const definitions: Definition[] = [
  {
    name: 'sought_escrow_cents',
    help: 'Money in escrow, in the smallest unit of its currency. Disputed payments are not counted as held.',
    labels: ['state', 'currency'],
    values: ({ amounts }) =>
      amounts.flatMap(({ currency, held, disputed }) => [
        { labels: { state: 'held', currency }, value: held },
        { labels: { state: 'disputed', currency }, value: disputed },
      ]),
  },
  {
    name: 'sought_escrow_payments',
    help: 'Payments in escrow. Suspicious ones are part of those held.',
    labels: ['state'],
    values: ({ heldPayments, disputedPayments, suspiciousPayments }) => [
      { labels: { state: 'held' }, value: heldPayments },
      { labels: { state: 'disputed' }, value: disputedPayments },
      { labels: { state: 'suspicious' }, value: suspiciousPayments },
    ],
  },
  {
    name: 'sought_releases_due_cents',
    help: 'Money that is due for automatic release within a day.',
    labels: ['currency'],
    values: inEach(({ due }) => due),
  },
  {
    name: 'sought_releases_overdue_cents',
    help: 'Money whose hold has ended and that was not released yet.',
    labels: ['currency'],
    values: inEach(({ overdue }) => overdue),
  },
  {
    name: 'sought_releases_overdue',
    help: 'Payments whose hold has ended and that were not released yet.',
    values: one(({ overduePayments }) => overduePayments),
  },
  {
    name: 'sought_releases_overdue_oldest_seconds',
    help: 'For how long the longest overdue release has been due.',
    values: one(({ overdueOldestSeconds }) => overdueOldestSeconds),
  },
  {
    name: 'sought_owed_cents',
    help: 'Money that left escrow and was not paid out or refunded yet.',
    labels: ['to', 'currency'],
    values: ({ amounts }) =>
      amounts.flatMap(({ currency, owedSellers, owedBuyers }) => [
        { labels: { to: 'sellers', currency }, value: owedSellers },
        { labels: { to: 'buyers', currency }, value: owedBuyers },
      ]),
  },
  {
    name: 'sought_owed_payments',
    help: 'Payments with an unpaid payout or refund.',
    labels: ['to'],
    values: ({ owedSellersPayments, owedBuyersPayments }) => [
      { labels: { to: 'sellers' }, value: owedSellersPayments },
      { labels: { to: 'buyers' }, value: owedBuyersPayments },
    ],
  },
  {
    name: 'sought_debts_cents',
    help: 'What sellers owe for cancellations, chargebacks and refunds, in cents.',
    labels: ['currency'],
    values: ({ debts }) => debts.map(({ currency, cents }) => ({ labels: { currency }, value: cents })),
  },
  {
    name: 'sought_payouts_stuck',
    help: 'Payouts older than a day, although the seller has an account and nothing holds them back.',
    values: one(({ payoutsStuck }) => payoutsStuck),
  },
  {
    name: 'sought_manual_payouts',
    help: 'Payouts that an admin has to make by bank transfer.',
    values: one(({ manualPayouts }) => manualPayouts),
  },
  {
    name: 'sought_manual_payouts_oldest_seconds',
    help: 'Age of the oldest payout that an admin has to make.',
    values: one(({ manualPayoutsOldestSeconds }) => manualPayoutsOldestSeconds),
  },
  {
    name: 'sought_refunds_stuck',
    help: 'Refunds that the provider refused or that failed, and that are still owed.',
    values: one(({ refundsStuck }) => refundsStuck),
  },
  {
    name: 'sought_payments_unconfirmed_oldest_seconds',
    help: 'For how long the oldest submitted card payment has waited for the provider.',
    values: one(({ unconfirmedOldestSeconds }) => unconfirmedOldestSeconds),
  },
  {
    name: 'sought_webhooks_parked',
    help: 'Provider events that could not be handled yet.',
    values: one(({ parkedEvents }) => parkedEvents),
  },
  {
    name: 'sought_webhooks_parked_oldest_seconds',
    help: 'Age of the oldest event that waits.',
    values: one(({ parkedEventsOldestSeconds }) => parkedEventsOldestSeconds),
  },
  {
    name: 'sought_payments_set_aside',
    help: 'Payments that a sweep or a job could not handle, and that are tried again.',
    values: one(({ setAsidePayments }) => setAsidePayments),
  },
  {
    name: 'sought_payments_set_aside_oldest_seconds',
    help: 'For how long the longest of them has failed.',
    values: one(({ setAsideOldestSeconds }) => setAsideOldestSeconds),
  },
  {
    name: 'sought_events_read_timestamp_seconds',
    help: 'Until when the list of the provider’s events was read, or 0.',
    values: one(({ eventsReadUntil }) => eventsReadUntil),
  },
  {
    name: 'sought_chargebacks_open',
    help: 'Chargebacks that a bank has not decided yet.',
    values: one(({ openChargebacks }) => openChargebacks),
  },
  {
    name: 'sought_chargeback_deadline_timestamp_seconds',
    help: 'The next deadline of a chargeback for which no evidence was sent, or 0 if there is none.',
    values: one(({ nextEvidenceDeadline }) => nextEvidenceDeadline),
  },
  {
    name: 'sought_files_held_oldest_seconds',
    help: 'For how long the oldest upload has been held back because it was not scanned for viruses.',
    values: one(({ filesHeldOldestSeconds }) => filesHeldOldestSeconds),
  },
  {
    name: 'sought_backup_age_seconds',
    help: 'For how long no run of npm run backup has finished; without any, since the database was created.',
    values: one(({ backupAgeSeconds }) => backupAgeSeconds),
  },
  {
    name: 'sought_jobs',
    help: 'Jobs that are due and wait, run, or have failed permanently.',
    labels: ['task', 'state'],
    values: ({ jobs }) =>
      jobs.flatMap(({ task, waiting, running, failed }) => [
        { labels: { task, state: 'waiting' }, value: waiting },
        { labels: { task, state: 'running' }, value: running },
        { labels: { task, state: 'failed' }, value: failed },
      ]),
  },
  {
    name: 'sought_jobs_oldest_seconds',
    help: 'For how long the oldest waiting job has been due.',
    labels: ['task'],
    values: ({ jobs }) => jobs.map(({ task, oldestSeconds }) => ({ labels: { task }, value: oldestSeconds })),
  },
]

/** Figures about the whole market, from the database. If reading fails, the last ones are reported. */
export function addMarketMetrics(
  metrics: Registry,
  { database, clock, log }: Pick<Services, 'database' | 'clock' | 'log'>,
): void {
  let readAt: number | null = null
  let reading: Promise<void> = Promise.resolve()
  const gauges = definitions.map(({ name, help, labels = [], values }) => ({
    values,
    gauge: new Gauge({ name, help, labelNames: labels, registers: [metrics], collect: refresh }),
  }))
  const succeeded = new Gauge({
    name: 'sought_figures_timestamp_seconds',
    help: 'When the figures about the market were last read, or 0.',
    registers: [metrics],
    collect: refresh,
  })

  async function read(now: Date): Promise<void> {
    try {
      const figures = await inTime(readMarketFigures(database.read, now), FIGURES_WITHIN_MS)
      for (const { gauge, values } of gauges) {
        gauge.reset()
        for (const { labels = {}, value } of values(figures)) gauge.set(labels, value)
      }
      succeeded.set(now.getTime() / 1000)
    } catch (error) {
      // Keeps the last values.
      log.warn({ err: error }, 'could not read the figures for the metrics')
    }
  }

  function refresh(): Promise<void> {
    const now = clock()
    if (readAt === null || now.getTime() - readAt >= FIGURES_MAX_AGE_MS) {
      readAt = now.getTime()
      reading = read(now)
    }
    return reading
  }
}
