import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { signUpUsers, stepsOfDeal, withServer } from '../load/load.ts'
import { openLiveStream } from '../rolling-restart/live-stream.ts'
import type { Line } from '../support/part.ts'
import { openPool } from '../support/temporary-database.ts'

const DATABASE = 'pooler_only'
const DEALS = 10
const SETTLED_WITHIN_MS = 30_000
const ANNOUNCED = ['messages', 'offers', 'payments', 'notifications']

/**
 * The server is connected only through the pooler: it migrates an empty database, sends live events, runs jobs and
 * accepts payments.
 */
export async function runThroughPoolerOnly(postgresUrl: string, poolerUrl: string): Promise<Line> {
  const sql = await createEmptyDatabase(postgresUrl)
  const url = new URL(poolerUrl)
  url.pathname = `/${DATABASE}`
  try {
    const violations = await withServer(url.href, async (target) => {
      const [buyer, seller] = await signUpUsers(target, 2)
      if (!buyer || !seller) throw new Error('nobody signed up')
      const streams = [buyer, seller].map(({ cookie }) => openLiveStream(target.address, cookie))
      for (let deal = 0; deal < DEALS; deal++)
        for (const step of stepsOfDeal(target, buyer, seller)) await step()
      const missing = () => [
        ...ANNOUNCED.filter((about) => streams.some((stream) => stream.received(about) === 0)),
        ...streams.flatMap(({ failures }) => failures),
      ]
      const found = async () => [
        ...missing().map((what) => `live events: ${what}`),
        ...(await findUnsettled(sql)),
      ]
      const deadline = Date.now() + SETTLED_WITHIN_MS
      while ((await found()).length > 0 && Date.now() < deadline) await wait(200)
      for (const stream of streams) stream.close()
      return found()
    })
    return { what: 'deals with the pooler as the only address', times: DEALS, violations }
  } finally {
    await sql.end()
  }
}

async function createEmptyDatabase(postgresUrl: string): Promise<pg.Pool> {
  const admin = new pg.Client({ connectionString: postgresUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${DATABASE} with (force)`)
  await admin.query(`create database ${DATABASE} template template0`)
  await admin.end()
  const url = new URL(postgresUrl)
  url.pathname = `/${DATABASE}`
  return openPool(url.href, 2)
}

/** Counts payments that are not completed, and due jobs. */
async function findUnsettled(sql: pg.Pool): Promise<string[]> {
  const { rows: payments } = await sql.query('select status, count(*)::int as count from payments group by 1')
  const { rows: jobs } = await sql.query(
    'select task_identifier as task from graphile_worker.jobs where run_at <= now() and attempts > 0',
  )
  const isDone = payments.length === 1 && payments[0].status === 'completed' && payments[0].count === DEALS
  return [
    ...(isDone ? [] : [`payments: ${JSON.stringify(payments)}`]),
    ...jobs.map(({ task }) => `the job ${task} failed`),
  ]
}
