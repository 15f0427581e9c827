import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import { routes } from '@sought/contract/paths'
import fastify from 'fastify'
import type { Config } from '../core/config.ts'
import { PAYMENT_FRAMES, STRIPE_SOURCES } from '../providers/stripe/browser-sources.ts'
import { CSP_REPORT_GROUP, CSP_REPORT_PATH } from './csp-reports.ts'

/**
 * The security headers of every response, by its URL. Only our own scripts may run, neither inline nor evaluated
 * (ADR 25).
 */
export async function createSecurityHeaders(
  config: Config,
): Promise<(url: string) => Record<string, string>> {
  const forPages = await pageHeaders(config)
  const forApi = apiHeaders(forPages)
  const forOnboardingReturn = { ...forPages, 'cross-origin-opener-policy': 'unsafe-none' }
  return (url) => (isApiCall(url) ? forApi : isOnboardingReturn(url) ? forOnboardingReturn : forPages)
}

/**
 * The page to which Stripe returns the onboarding pop-up. With an opener policy that differs from Stripe's,
 * the browser would cut the pop-up off from its opener, and it could not close itself.
 */
function isOnboardingReturn(url: string): boolean {
  return url.startsWith(`${routes.sellerSetup}?`)
}

/** Everything under /api except the documentation page. */
function isApiCall(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith('/api/docs')
}

/** API replies are data: if opened as a page they may load nothing, and they need no headers about page behaviour. */
function apiHeaders(forPages: Record<string, string>): Record<string, string> {
  const kept = Object.entries(forPages).filter(([name]) => API_HEADERS.has(name))
  return { ...Object.fromEntries(kept), 'content-security-policy': LOAD_NOTHING }
}

const LOAD_NOTHING = "default-src 'none'; frame-ancestors 'none'"

/** For replies that Fastify sends before our hooks run. */
export const MINIMAL_HEADERS = {
  'content-security-policy': LOAD_NOTHING,
  'x-content-type-options': 'nosniff',
}

const API_HEADERS = new Set([
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
])

async function pageHeaders(config: Config): Promise<Record<string, string>> {
  // Allowed only if real keys are set (ADR 25).
  const stripe = config.stripe !== undefined
  const stripeSources = (directive: keyof typeof STRIPE_SOURCES) => (stripe ? STRIPE_SOURCES[directive] : [])
  const https = config.publicUrl.startsWith('https:')
  const fromHelmet = await helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...stripeSources('script-src')],
        // Radix adds a few inline style elements. Styles cannot run code.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...stripeSources('img-src')],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        connectSrc: ["'self'", ...stripeSources('connect-src')],
        frameSrc: stripe ? stripeSources('frame-src') : ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        // Some browsers support only the newer directive, others only the older one.
        reportTo: [CSP_REPORT_GROUP],
        reportUri: [CSP_REPORT_PATH],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    crossOriginEmbedderPolicy: false,
    // The page that opens the seller onboarding pop-up must be able to see it close.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  return {
    ...fromHelmet,
    'permissions-policy': permissionsPolicy(stripe),
    'reporting-endpoints': `${CSP_REPORT_GROUP}="${CSP_REPORT_PATH}"`,
  }
}

/** Wallets such as Google Pay open from Stripe's frames, which need this permission. */
function permissionsPolicy(stripe: boolean): string {
  const payment = ['self', ...(stripe ? PAYMENT_FRAMES.map((origin) => `"${origin}"`) : [])]
  return `camera=(), geolocation=(), microphone=(), payment=(${payment.join(' ')})`
}

/** The headers that helmet adds. They are the same for every response, so they are computed once. */
async function helmetHeaders(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const trial = fastify()
  await trial.register(helmet, options)
  trial.get('/', async () => '')
  const bare = await fastify()
    .get('/', async () => '')
    .inject('/')
  const { headers } = await trial.inject('/')
  const added = Object.entries(headers).filter(([name]) => !(name in bare.headers))
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]))
}
