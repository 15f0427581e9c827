import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { openMailbox } from '../testing/mailbox.ts'
import { openMoneyWorld } from '../testing/money-world.ts'
import { runEmailJobs } from '../testing/run-email-jobs.ts'
import { openWorld } from '../testing/world.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number; message?: string }
}

/** A server that speaks OpenTelemetry's protocol. */
async function openCollector() {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') bodies.push(await text(request))
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: (): Span[] =>
      bodies.flatMap((body) =>
        JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Span[] }[] }) =>
          resource.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  }
}

const attributeOf = (span: Span | undefined, key: string) => {
  const { stringValue, intValue } = span?.attributes.find((it) => it.key === key)?.value ?? {}
  return stringValue ?? intValue
}

test('requests, statements, jobs, card payments and emails are traced, without personal data', async () => {
  const collector = await openCollector()
  const mailbox = await openMailbox()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, SMTP_URL: mailbox.url }
  const world = await openMoneyWorld({ env })
  const { visitor, ada, services } = world
  await world.payIntoEscrow(12_000)
  const form = {
    email: 'grace@secret.example',
    firstName: 'Grace',
    lastName: 'Hopper',
    password: 'hidden words',
  }
  const signedUp = await visitor('POST /api/auth/signup', form)
  expect(signedUp.statusCode).toBe(201)
  const missing = await visitor('GET /api/wanted-items/987654?token=tok_abc')
  await visitor('GET /healthz')
  await runEmailJobs(world)
  expect(mailbox.emails.length).toBeGreaterThan(0)
  await services.tracing?.stop()

  const spans = collector.spans()
  const found = (name: string) => spans.filter((span) => span.name === name)
  const [request] = found('GET /api/wanted-items/:id').filter(
    (span) => attributeOf(span, 'sought.request_id') === missing.headers['x-request-id'],
  )
  expect(attributeOf(request, 'http.response.status_code')).toBe(404)
  expect(request?.parentSpanId).toBeUndefined()
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.map(({ name }) => name)).toContain('select')
  for (const { traceId } of statements) expect(traceId).toBe(request?.traceId)

  const [checkout] = spans.filter(({ name }) => name.startsWith('stripe create'))
  expect(checkout?.parentSpanId).toBeTruthy()
  const jobs = found('job send-mail').map(({ spanId }) => spanId)
  const sends = found('mail send').map(({ parentSpanId }) => parentSpanId)
  expect(sends.length).toBeGreaterThan(0)
  for (const parent of sends) expect(jobs).toContain(parent)

  expect(found('GET /healthz')).toEqual([])
  const sent = spans.flatMap(({ name, attributes }) => [name, JSON.stringify(attributes)]).join('\n')
  for (const secret of [
    'secret.example',
    'Grace',
    'hidden words',
    '987654',
    'tok_abc',
    ada.email,
    ada.cookie,
  ])
    expect(sent).not.toContain(secret)
})

test('a span of failed work has the code of the error, but not its message', async () => {
  const collector = await openCollector()
  const { services } = await openMoneyWorld({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const { tracing, database } = services
  const span = tracing?.begin({ name: 'job test', kind: 'job' })
  await span?.run(async () => {
    await expect(database.pool.query("select 'private words'::integer")).rejects.toThrow('private words')
  })
  span?.end({ error: new TypeError('private words') })
  await tracing?.stop()
  const statuses = collector.spans().map((it) => [it.name, attributeOf(it, 'error.type'), it.status])
  expect(statuses).toEqual(
    expect.arrayContaining([
      ['select', '22P02', { code: 2 }],
      ['job test', 'TypeError', { code: 2 }],
    ]),
  )
})

test('every line of the log that belongs to a trace names it', async () => {
  const collector = await openCollector()
  const lines: string[] = []
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: 'info' }
  const { visitor, services, sql } = await openWorld(env, (line) => lines.push(line))
  await sql.query('alter table wanted_items rename to gone')
  expect((await visitor('GET /api/wanted-items/1')).statusCode).toBe(500)
  const job = services.tracing?.begin({ name: 'job test', kind: 'job' })
  job?.run(() => services.log.info('in the job'))
  job?.end()
  services.log.info('elsewhere')
  await eventually(() => expect(lines.join('')).toContain('"msg":"request"'))
  await services.tracing?.stop()
  const traceOf = (name: string) => collector.spans().find((span) => span.name === name)?.traceId
  const logged = (message: string) =>
    lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === message).trace_id
  expect(traceOf('GET /api/wanted-items/:id')).toMatch(/^[\da-f]{32}$/)
  expect(logged('unexpected error')).toBe(traceOf('GET /api/wanted-items/:id'))
  expect(logged('request')).toBe(traceOf('GET /api/wanted-items/:id'))
  expect(logged('in the job')).toBe(traceOf('job test'))
  expect(logged('elsewhere')).toBeUndefined()
})

test('without a collector nothing is traced', async () => {
  const { services } = await openMoneyWorld()
  expect(services.tracing).toBeNull()
})
