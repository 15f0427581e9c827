import { pino } from 'pino'
import { systemClock } from '../core/clock.ts'
import { readConfig } from '../core/config.ts'
import { createServices } from '../create-services.ts'
import { checkLedger } from '../features/money/ledger/check-ledger.ts'
import { withDatabase } from './with-database.ts'

/** npm run ledger:check: checks the whole ledger, also against the card provider. Exit code 1 if it has problems. */
const report = await withDatabase(async ({ read }, url) => {
  const log = pino({ level: 'silent' })
  const services = await createServices(readConfig(), url, systemClock, log)
  try {
    // Without a webhook URL, the sandbox answers requests but sends no events.
    await services.sandbox?.start(null)
    return await checkLedger(read, services.cards)
  } finally {
    await services.sandbox?.close()
    await services.events.stop()
    await services.database.close()
  }
})
for (const problem of report.problems) console.error(problem)
for (const total of report.totals) console.log(total)
console.log(
  `Ledger checked: ${report.payments} payments, ${report.entries} entries, ${report.problems.length} problems`,
)
process.exit(report.problems.length === 0 ? 0 : 1)
