import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { answerError } from '../http/answer-error.ts'
import { type Gate, type Route, register } from '../http/route.ts'
import type { Actor } from '../http/session.ts'

/** An app with only these routes, without a database. All requests with a cookie come from Ada. */
export async function openRoutes(routes: Route[], gate: Partial<Gate> = {}): Promise<FastifyInstance> {
  const app = fastify()
  onTestFinished(() => app.close())
  app.setErrorHandler(answerError)
  await app.register(multipart)
  const market = { mode: 'open' as const }
  const openGate: Gate = {
    market: { peek: () => market, read: async () => market },
    userOf: async () => ({ id: 'ada', suspendedUntil: null }) as Actor,
    roleOf: async () => null,
    now: () => new Date(),
    requireSecondFactor: async () => {},
    requireConfirmed: async () => {},
    countUpload: async () => {},
    requireClean: async () => {},
    recordWrite: async () => {},
    ...gate,
  }
  for (const route of routes) register(app, openGate, route)
  return app
}
