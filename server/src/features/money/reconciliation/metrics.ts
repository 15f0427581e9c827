import { Gauge, type Registry } from 'prom-client'
import { inTime } from '../../../core/in-time.ts'
import { type Db, isUnavailable } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import * as queries from './queries.ts'

const ANSWER_WITHIN_MS = 8_000
/** A process asks the provider for the balance at most once in this time. */
const BALANCE_MAX_AGE_MS = 5 * 60_000

/** Read from the database, because any process may have run the last reconciliation. */
export function addReconciliationMetrics(metrics: Registry, db: Db): void {
  new Gauge({
    name: 'sought_reconciliation_differences',
    help: 'Differences between the balance at the card provider and the ledger.',
    registers: [metrics],
    collect() {
      return keepIfUnreachable(async () => this.set(await queries.countDifferences(db)))
    },
  })
  new Gauge({
    name: 'sought_reconciliation_last_run_timestamp_seconds',
    help: 'When the last reconciliation finished, or 0 if there was none.',
    registers: [metrics],
    collect() {
      return keepIfUnreachable(async () => {
        const last = await queries.findLastRun(db)
        this.set((last?.finishedAt.getTime() ?? 0) / 1000)
      })
    },
  })
}

/** Nobody waits for the provider: the next request of the metrics has its answer. */
export function addProviderDebtMetric(
  metrics: Registry,
  { cards, clock, log }: Pick<Services, 'cards' | 'clock' | 'log'>,
): void {
  let askedAt = Number.NEGATIVE_INFINITY
  new Gauge({
    name: 'sought_provider_debt_cents',
    help: 'What we owe the card provider because our balance there is negative, in cents, or 0.',
    labelNames: ['currency'],
    registers: [metrics],
    collect() {
      const now = clock().getTime()
      if (!cards || now - askedAt < BALANCE_MAX_AGE_MS) return
      askedAt = now
      cards.readBalance().then(
        (balance) => {
          for (const { currency, cents } of balance) this.set({ currency }, Math.max(0, -cents))
        },
        (error: unknown) => log.warn({ err: error }, 'could not read the balance at the card provider'),
      )
    },
  })
}

/** Keeps the last values, because the other metrics are most important when the database is down. */
async function keepIfUnreachable(update: () => Promise<void>): Promise<void> {
  try {
    await inTime(update(), ANSWER_WITHIN_MS)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}
