import type { FastifyInstance } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import * as z from 'zod/mini'
import type { Services } from '../services.ts'
import { addressKey } from './limits.ts'
import { pagePatternOf } from './page-pattern.ts'

/*
 * Receives browsers' reports about blocks by the content security policy (ADR 25): a missed escape, or a page that
 * needs something new. Anybody can send reports, so they are limited, and only known values reach the log and the
 * metrics.
 */

export const CSP_REPORT_PATH = '/api/csp-reports'
export const CSP_REPORT_GROUP = 'csp'

const BODY_LIMIT_BYTES = 16 * 1024
const REPORTS_MAX = 20

const DIRECTIVES = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'connect-src',
  'frame-src',
  'object-src',
  'base-uri',
  'form-action',
  'frame-ancestors',
  'media-src',
  'worker-src',
  'manifest-src',
]

const text = z.catch(z.string(), '')

/** The format of `report-uri`. */
const OldReport = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'document-uri': text,
  }),
})

/** The format of `report-to`. The browser collects reports, including other types. */
const NewReports = z.array(
  z.object({
    type: text,
    body: z.catch(z.object({ effectiveDirective: text, blockedURL: text, documentURL: text }), {
      effectiveDirective: '',
      blockedURL: '',
      documentURL: '',
    }),
  }),
)

interface Violation {
  directive: string
  /** The origin of the blocked resource, or a word such as 'inline'. */
  blocked: string
  /** The pattern of the page's path, because paths may contain tokens. */
  page: string
}

export async function serveCspReports(
  app: FastifyInstance,
  { limits, log }: Pick<Services, 'limits' | 'log'>,
  metrics: Registry,
): Promise<void> {
  const counter = new Counter({
    name: 'csp_violations_total',
    help: 'Content security policy violations that browsers reported, by directive',
    labelNames: ['directive'],
    registers: [metrics],
  })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const types = ['application/csp-report', 'application/reports+json', 'application/json']
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    )
    // Browsers may send reports without the headers that prove their origin.
    scope.post(CSP_REPORT_PATH, { config: { allowCrossSite: true } }, async (request, reply) => {
      await limits.cspReportByAddress.count(addressKey(request.ip))
      for (const violation of readViolations(String(request.body ?? ''))) {
        counter.inc({ directive: violation.directive })
        log.warn(violation, 'content security policy violation')
      }
      return reply.code(204).send()
    })
  })
}

function readViolations(body: string): Violation[] {
  const given = parseJson(body)
  const old = OldReport.safeParse(given)
  if (old.success) {
    const report = old.data['csp-report']
    const directive = report['effective-directive'] || report['violated-directive']
    return [describe(directive, report['blocked-uri'], report['document-uri'])]
  }
  const collected = NewReports.safeParse(given)
  if (!collected.success) return []
  return collected.data
    .filter(({ type }) => type === 'csp-violation')
    .slice(0, REPORTS_MAX)
    .map(({ body }) => describe(body.effectiveDirective, body.blockedURL, body.documentURL))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function describe(directive: string, blocked: string, page: string): Violation {
  const [name = ''] = directive.split(' ')
  return {
    directive: DIRECTIVES.includes(name) ? name : 'other',
    blocked: originOf(blocked),
    page: pageOf(page),
  }
}

function originOf(blocked: string): string {
  if (/^(inline|eval|wasm-eval|data|blob|self|trusted-types-\w+)$/.test(blocked)) return blocked
  return URL.canParse(blocked) ? new URL(blocked).origin.slice(0, 200) : 'other'
}

function pageOf(url: string): string {
  return URL.canParse(url) ? pagePatternOf(new URL(url).pathname) : 'other'
}
