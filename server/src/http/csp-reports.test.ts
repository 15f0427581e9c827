import { expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { METRICS_ACCESS, openWorld } from '../testing/world.ts'

const OLD = 'application/csp-report'
const NEW = 'application/reports+json'

const oldReport = {
  'csp-report': {
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/steal.js?with=secret-one',
    'document-uri': 'http://localhost:3000/reset-password?token=secret-two',
  },
}
const newReports = [
  {
    type: 'csp-violation',
    body: {
      effectiveDirective: 'img-src',
      blockedURL: 'inline',
      documentURL: 'http://localhost:3000/dispute/7654321',
    },
  },
  { type: 'deprecation', body: { id: 'secret-three' } },
  { type: 'csp-violation', body: { effectiveDirective: 'secret-four', blockedURL: 7 } },
]

test('violations are counted and logged without paths, query strings and unknown values', async () => {
  const lines: string[] = []
  const it = await openWorld({ LOG_LEVEL: 'info' }, (line) => lines.push(line))
  const report = async (type: string, body: object | string) => {
    const reply = await it.app.inject({
      method: 'POST',
      url: '/api/csp-reports',
      headers: { 'content-type': type, 'sec-fetch-site': 'cross-site' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return reply.statusCode
  }
  expect(await report(OLD, oldReport)).toBe(204)
  expect(await report(NEW, newReports)).toBe(204)
  for (const body of ['', '{', '[]', '7', '{"csp-report":7}']) expect(await report(NEW, body)).toBe(204)
  expect(await report('text/plain', 'x')).toBe(415)
  expect(await report(OLD, 'x'.repeat(20_000))).toBe(413)

  const { body: metrics } = await it.visitor('GET /metrics', undefined, METRICS_ACCESS)
  expect(metrics.split('\n').filter((line) => line.startsWith('csp_violations_total'))).toEqual([
    'csp_violations_total{directive="script-src-elem"} 1',
    'csp_violations_total{directive="img-src"} 1',
    'csp_violations_total{directive="other"} 1',
  ])
  await eventually(() => expect(lines.length).toBeGreaterThan(9))
  const warned = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('content security'))
  expect(warned.map(({ directive, blocked, page }) => ({ directive, blocked, page }))).toEqual([
    { directive: 'script-src-elem', blocked: 'https://evil.example', page: '/reset-password' },
    { directive: 'img-src', blocked: 'inline', page: '/dispute/:paymentId' },
    { directive: 'other', blocked: 'other', page: 'other' },
  ])
  expect(lines.join('')).not.toMatch(/secret|7654321/)
})

test('reports are limited per IP address', async () => {
  const it = await openWorld()
  const report = (remoteAddress: string) =>
    it.app.inject({
      method: 'POST',
      url: '/api/csp-reports',
      headers: { 'content-type': OLD },
      body: JSON.stringify(oldReport),
      remoteAddress,
    })
  const replies = await Promise.all(Array.from({ length: 31 }, () => report('192.0.2.1')))
  expect(replies.filter((reply) => reply.statusCode === 429)).toHaveLength(1)
  expect(replies.find((reply) => reply.statusCode === 429)?.headers['retry-after']).toMatch(/^\d+$/)
  expect((await report('192.0.2.2')).statusCode).toBe(204)
})

test('the content security policy of pages names the report endpoint', async () => {
  const it = await openWorld()
  const { headers } = await it.visitor('GET /api/docs')
  expect(headers['content-security-policy']).toContain('report-uri /api/csp-reports')
  expect(headers['content-security-policy']).toContain('report-to csp')
  expect(headers['reporting-endpoints']).toBe('csp="/api/csp-reports"')
})
