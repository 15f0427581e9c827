import type { FastifyBaseLogger } from 'fastify'
import { Logger, parseCronItems, type Runner, run, type TaskList } from 'graphile-worker'
import type { Services } from '../platform/services.ts'
import { tidyUp } from './tidy-up.ts'

const RESTART_DELAY_MS = 1_000
const CONCURRENT_JOBS = 4

export interface Jobs {
  stop(): Promise<void>
}

/**
 * Runs the jobs in this process, for as long as it lives. The worker gives up when the database goes
 * away; it is then started again until the database is back.
 */
export async function startJobs(services: Services, log: FastifyBaseLogger): Promise<Jobs> {
  const tasks: TaskList = { 'tidy-up': () => tidyUp(services, services.clock()) }
  const start = () =>
    run({
      pgPool: services.database.pool,
      taskList: tasks,
      parsedCronItems: parseCronItems([{ task: 'tidy-up', match: '17 * * * *' }]),
      concurrency: CONCURRENT_JOBS,
      noHandleSignals: true,
      logger: quietLogger(log),
    })

  let stopping = false
  let runner: Runner | null = await start()

  const supervise = async (): Promise<void> => {
    while (!stopping) {
      try {
        runner ??= await start()
        await runner.promise
      } catch (error) {
        log.warn({ err: error }, 'jobs stopped')
      }
      runner = null
      if (!stopping) await new Promise((resolve) => setTimeout(resolve, RESTART_DELAY_MS))
    }
  }
  const supervised = supervise()

  return {
    async stop() {
      stopping = true
      await runner?.stop().catch(() => {})
      await supervised
    },
  }
}

/** The worker's own notes are for debugging; what goes wrong is for everyone. */
function quietLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
}
