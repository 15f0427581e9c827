import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getPublicProfile } from '@sought/contract/people'
import { getWantedItem, listWantedItems } from '@sought/contract/requests'
import { drizzle } from 'drizzle-orm/node-postgres'
import fastify from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/core/config.ts'
import { createServices } from '../server/src/create-services.ts'
import { openDatabase, type PooledDb } from '../server/src/database/database.ts'
import { readPerson } from '../server/src/features/board/profiles/queries.ts'
import { findOpenItems, newestStatement, readItem } from '../server/src/features/board/requests/queries.ts'
import { replySchema } from '../server/src/http/reply-schema.ts'

/*
 * One of the two servers that the benchmark compares, in its own process: `node serve.ts full|minimal URL`. Sends its
 * port to the parent process and exits with it.
 */

const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
export const PAGE = 12

/** The SQL statement of the home list. */
export function getHomeStatement() {
  return newestStatement(drizzle.mock({ casing: 'snake_case' }), {
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

/**
 * The minimal server with the same responses: routes with the same statements, pool and serializers. The statements
 * of a search depend on its words, so they are recorded at the first request for each path.
 */
async function startMinimalServer(databaseUrl: string) {
  const { pool } = openDatabase(databaseUrl, () => new Date(), console.error)
  const recorded = new Map<string, pg.QueryConfig[]>()
  const run = async (path: string, ask: (db: PooledDb) => Promise<unknown>) => {
    const statements = recorded.get(path) ?? (await recordStatements(pool, ask))
    recorded.set(path, statements)
    let rows: unknown[][] = []
    for (const statement of statements) rows = (await pool.query(statement)).rows
    return rows
  }
  const app = fastify()
  const serve = ({ path, reply }: typeof listWantedItems | typeof getWantedItem | typeof getPublicProfile) =>
    [path, { schema: { response: { 200: replySchema(reply) } } }] as const
  app.get<{ Querystring: ListQuery }>(...serve(listWantedItems), async ({ url, query }) => {
    const filter = { ...query, limit: PAGE, now: new Date() }
    return (await run(url, (db) => findOpenItems(db, filter))).map(toItem)
  })
  app.get<{ Params: { id: string } }>(...serve(getWantedItem), async ({ url, params }) => {
    const [row = []] = await run(url, (db) => readItem(db, Number(params.id)))
    return toItem(row)
  })
  app.get<{ Params: { id: string } }>(...serve(getPublicProfile), async ({ url, params }) => {
    const [row = []] = await run(url, (db) => readPerson(db, params.id))
    return toPerson(row)
  })
  return app
}

interface ListQuery {
  search?: string
  category?: string
}

/** Records the statements that `ask` sends. */
export async function recordStatements(pool: pg.Pool, ask: (db: PooledDb) => Promise<unknown>) {
  const statements: pg.QueryConfig[] = []
  const query = (config: pg.QueryConfig, values?: unknown[]) => {
    statements.push(values ? { ...config, values } : config)
    return pool.query(config, values)
  }
  const recording: pg.Pool = Object.assign(Object.create(pool), { query })
  await ask(drizzle(recording, { casing: 'snake_case' }))
  return statements
}

function toItem(row: unknown[]) {
  const [id, title, description, category, minBudget, maxBudget, location, urgency] = row
  const [images, imageUrl, pictureUrl, userId, status, createdAt, renewedAt, position, expiresAt] =
    row.slice(8)
  const [ownerId, firstName, lastName, rating, profileImageUrl] = row.slice(17)
  return {
    id,
    title,
    description,
    category,
    minBudget: Number(minBudget),
    maxBudget: Number(maxBudget),
    location,
    urgency,
    images: typeof images === 'string' ? JSON.parse(images) : images,
    pictures: [],
    imageUrl,
    pictureUrl,
    userId,
    status,
    createdAt,
    renewedAt,
    position,
    expiresAt,
    user: { id: ownerId, name: `${firstName} ${lastName}`, rating, profileImageUrl },
  }
}

function toPerson(row: unknown[]) {
  const [id, firstName, lastName, profileImageUrl] = row
  const [sum, count, buyerSum, buyerCount] = row.slice(4, 8).map(Number) as [number, number, number, number]
  const [sold, cancelledDeals, lostSales, bought, cancelledPurchases, lostPurchases] = row
    .slice(9, 15)
    .map(Number) as [number, number, number, number, number, number]
  const [responseMinutes, hasEmail, hasPhone, hasPayouts, hasSecondFactor, bio] = row.slice(15)
  const [keywords, categories, memberSince] = row.slice(21)
  const average = (stars: number, times: number) => (times === 0 ? 0 : stars / times)
  const badges = { email: hasEmail, phone: hasPhone, payouts: hasPayouts, second_factor: hasSecondFactor }
  return {
    id,
    name: `${firstName} ${lastName}`,
    rating: average(sum, count),
    profileImageUrl,
    ratingCount: count,
    cancelledDeals,
    asBuyer: { rating: average(buyerSum, buyerCount), count: buyerCount },
    asSeller: { rating: average(sum - buyerSum, count - buyerCount), count: count - buyerCount },
    deals: {
      completed: sold + bought,
      cancelled: cancelledDeals + cancelledPurchases,
      lost: lostSales + lostPurchases,
    },
    responseMinutes,
    badges: Object.entries(badges).flatMap(([badge, has]) => (has ? [badge] : [])),
    bio,
    selling: { keywords, categories },
    memberSince,
  }
}

const [which, databaseUrl] = process.argv.slice(2)
if (import.meta.main && databaseUrl) {
  const app = await (which === 'full' ? startFullServer(databaseUrl) : startMinimalServer(databaseUrl))
  process.send?.(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  process.once('disconnect', () => process.exit())
}
