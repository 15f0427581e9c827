import { Gauge, type Registry } from 'prom-client'
import { inTime } from '../../../core/in-time.ts'
import { type Db, isUnavailable } from '../../../database/database.ts'
import * as queries from './queries.ts'

const ANSWER_WITHIN_MS = 5_000

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

/** Keeps the last values, because the other metrics are most important when the database is down. */
async function keepIfUnreachable(update: () => Promise<void>): Promise<void> {
  try {
    await inTime(update(), ANSWER_WITHIN_MS)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
}
