import { refusals } from '@sought/contract/refusals'
import { Counter, Gauge, type Registry } from 'prom-client'
import { answerError, refusalCodeOf } from '../http/answer-error.ts'
import type { Services } from '../services.ts'
import type { Readiness } from './health.ts'

/** Metrics about this process. Those about the database are in features/site/market-metrics.ts. */
export function addProcessMetrics(
  metrics: Registry,
  {
    browserErrors,
    database,
    events,
    fileStorage,
    keyWatch,
  }: Pick<Services, 'browserErrors' | 'database' | 'events' | 'fileStorage' | 'keyWatch'>,
  readiness: Readiness,
): void {
  const registers = [metrics]
  new Gauge({
    name: 'sought_ready',
    help: 'Whether /readyz would answer 200, apart from the database: 1 or 0.',
    registers,
    collect() {
      this.set(readiness.ready && !readiness.shutdown && !keyWatch?.problem() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'sought_streams',
    help: 'Open event streams. A page that is open has one.',
    registers,
    collect() {
      this.set(events.countStreams())
    },
  })
  new Gauge({
    name: 'sought_database_connections',
    help: 'Connections of the pool that are busy or idle, and work that waits for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool
      this.set({ state: 'busy' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
  new Gauge({
    name: 'sought_oldest_query_seconds',
    help: 'For how long the oldest running statement of this process has had no answer from the database.',
    registers,
    collect() {
      this.set(database.oldestStatementMs() / 1000)
    },
  })
  if (fileStorage.freeBytes)
    new Gauge({
      name: 'sought_files_free_bytes',
      help: 'Free space on the disk of DATA_DIR, where files are kept. Absent if they are kept in S3.',
      registers,
      async collect() {
        this.set((await fileStorage.freeBytes?.()) ?? 0)
      },
    })
  database.activity.addTo(metrics)
  browserErrors.addTo(metrics)
}

/** The error handler, which also counts refusals by code. */
export function countRefusals(metrics: Registry): typeof answerError {
  const counter = new Counter({
    name: 'sought_refusals_total',
    help: 'Requests that were refused or failed, by the code of the answer.',
    labelNames: ['code'],
    registers: [metrics],
  })
  // Starts the counters at 0, so that alerts also see the first increase.
  for (const [code, { status }] of Object.entries(refusals)) if (status >= 500) counter.inc({ code }, 0)
  return (error, request, reply) => {
    counter.inc({ code: refusalCodeOf(error) })
    return answerError(error, request, reply)
  }
}
