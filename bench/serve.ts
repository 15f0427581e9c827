import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listWantedItems } from '@sought/contract/requests'
import { drizzle } from 'drizzle-orm/node-postgres'
import fastify from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { createServices } from '../server/src/create-services.ts'
import { newestStatement } from '../server/src/features/requests/queries.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openDatabase } from '../server/src/platform/database.ts'
import { replySchema } from '../server/src/platform/reply-schema.ts'
import * as schema from '../server/src/platform/schema.ts'

/*
 * One of the two servers that the benchmark compares, in its own process: `node serve.ts full|minimal URL`. Sends its
 * port to the parent process and exits with it.
 */

const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
export const PAGE = 12

/** The SQL statement of the home list. */
export function getHomeStatement() {
  return newestStatement(drizzle.mock({ schema, casing: 'snake_case' }), {
    limit: PAGE,
    now: new Date(),
  })
}

async function startFullServer(databaseUrl: string) {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
  })
  const log = pino({ level: 'silent' })
  const services = await createServices(config, databaseUrl, () => new Date(), log)
  return buildApp(services, { ready: true }, log)
}

/** The minimal server with the same response: one route with the same statement, pool and serializer. */
async function startMinimalServer(databaseUrl: string) {
  const statement = getHomeStatement()
  const { pool } = openDatabase(databaseUrl, () => new Date(), console.error)
  const app = fastify()
  const response = { 200: replySchema(listWantedItems.reply) }
  app.get(listWantedItems.path, { schema: { response } }, async () => {
    const { rows } = await pool.query<unknown[]>({ ...statement, rowMode: 'array' })
    return rows.map(toItem)
  })
  return app
}

function toItem(row: unknown[]) {
  const [id, title, description, category, minBudget, maxBudget, location, urgency, imageUrl, userId] = row
  const [status, createdAt, ownerId, firstName, lastName, rating, profileImageUrl] = row.slice(10)
  const user = { id: ownerId, name: `${firstName} ${lastName}`, rating, profileImageUrl }
  const budget = { minBudget: Number(minBudget), maxBudget: Number(maxBudget) }
  return {
    id,
    title,
    description,
    category,
    ...budget,
    location,
    urgency,
    imageUrl,
    userId,
    status,
    createdAt,
    user,
  }
}

const [which, databaseUrl] = process.argv.slice(2)
if (process.send && databaseUrl) {
  const app = await (which === 'full' ? startFullServer(databaseUrl) : startMinimalServer(databaseUrl))
  process.send(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  process.once('disconnect', () => process.exit())
}
