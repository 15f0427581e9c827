import { AsyncResource } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Span, Tracing } from '../core/tracing.ts'
import { MONITORING_PATHS } from '../http/monitoring-paths.ts'

type Callback = (...results: unknown[]) => void

/** One trace for each request, with the request's id. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _, done) => {
    const { method, id, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    if (MONITORING_PATHS.has(route)) return done()
    const attributes = { 'http.request.method': method, 'http.route': route, 'sought.request_id': id }
    const span = tracing.begin({ name: `${method} ${route}`, kind: 'server', attributes })
    spans.set(request, span)
    span.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end({
      attributes: { 'http.response.status_code': reply.statusCode },
      ...(reply.statusCode >= 500 && { error: { code: String(reply.statusCode) } }),
    })
    done()
  })
}

/** One span for each statement within a trace. The text has placeholders instead of values. */
export function traceStatements(pool: pg.Pool, tracing: Tracing): void {
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown
  Object.assign(pool, {
    // A statement that waited for a connection still belongs to its caller.
    connect: (callback?: Callback) => (callback ? connect(AsyncResource.bind(callback)) : connect()),
  })
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(...args: unknown[]) {
        const text = textOf(args[0])
        if (text === null || !tracing.isActive()) return query(...args)
        const [operation = ''] = text.trimStart().split(/\s/, 1)
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
        const span = tracing.begin({ name: operation.toLowerCase(), kind: 'client', attributes })
        const callback = args.at(-1)
        if (typeof callback !== 'function') return endWith(span, query(...args))
        return query(...args.slice(0, -1), (error: unknown, result: unknown) => {
          span.end({ error })
          callback(error, result)
        })
      },
    })
  })
}

function textOf(statement: unknown): string | null {
  if (typeof statement === 'string') return statement
  if (!statement || typeof statement !== 'object' || 'submit' in statement) return null
  return 'text' in statement ? String(statement.text) : null
}

/** One span for each asynchronous call of a provider, named after the method. */
export function traceCalls<Provider extends object>(
  provider: Provider,
  name: string,
  tracing: Tracing,
): Provider {
  return new Proxy(provider, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const span = tracing.begin({ name: `${name} ${String(key)}`, kind: 'client' })
        const result: unknown = span.run(() => Reflect.apply(value, target, args))
        return result instanceof Promise ? endWith(span, result) : result
      }
    },
  })
}

/** One trace for each job. */
export function traceJobs(tasks: TaskList, tracing: Tracing): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      (...args: unknown[]) => {
        const span = tracing.begin({ name: `job ${name}`, kind: 'job' })
        return span.run(() => endWith(span, Reflect.apply(task as () => unknown, null, args)))
      },
    ]),
  ) as TaskList
}

/** Ends the span when the work has ended, and returns the result unchanged. */
function endWith<Result>(span: Span, result: Result): Result {
  if (!(result instanceof Promise)) span.end()
  else
    result.then(
      () => span.end(),
      (error) => span.end({ error }),
    )
  return result
}
