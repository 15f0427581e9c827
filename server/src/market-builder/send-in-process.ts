import type { Call } from '@sought/contract/call'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { allRoutes } from '../app.ts'
import type { Db } from '../database/database.ts'
import { users } from '../database/schema.ts'
import { createLimits } from '../http/limits.ts'
import { ignoredReply } from '../http/read-call.ts'
import { COMMAND_LINE } from '../http/request-origin.ts'
import { callWithin, type Route } from '../http/route.ts'
import { type Actor, signedInColumns } from '../http/session.ts'
import type { Services } from '../services.ts'
import type { Send } from './send.ts'

const request = { ip: '127.0.0.1', headers: {} } as FastifyRequest

/** Makes calls with the product's own handlers, but without HTTP, sessions and rate limits. Null for a visitor. */
export function createInProcessSend(services: Services): (userId: string | null) => Send {
  const unlimited = { ...services, limits: createLimits(services.database.pool, false) }
  let routes: Map<Call, Route> | undefined
  return (userId) => async (call, input) => {
    routes ??= new Map(allRoutes(unlimited).map((route) => [route.call, route]))
    const route = routes.get(call)
    if (!route) throw new Error(`${call.path} has no handler`)
    const user = userId === null ? null : await readActor(services.database.read, userId)
    const { params = {}, ...sent }: { params?: Record<string, unknown> } = input
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    const reply = await callWithin(route, { ...sent, params: texts, user, request, reply: ignoredReply })
    return JSON.parse(JSON.stringify(reply))
  }
}

async function readActor(db: Db, userId: string): Promise<Actor> {
  const [user] = await db.select(signedInColumns).from(users).where(eq(users.id, userId))
  if (!user) throw new Error(`there is no user ${userId}`)
  return { ...user, origin: COMMAND_LINE, lastWrite: null }
}
