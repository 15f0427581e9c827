import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

/** What Stripe's own card form needs, and only where real keys are set. */
const STRIPE_SCRIPT = 'https://js.stripe.com'
const STRIPE_FRAMES = ['https://js.stripe.com', 'https://hooks.stripe.com']
const STRIPE_API = 'https://api.stripe.com'

/** Security headers on every answer. Scripts come from us alone: none inline, none evaluated (ADR 25). */
export async function addSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const ofPages = await headersOfPages(config)
  const ofCalls = headersOfCalls(ofPages)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isCall(request.url) ? ofCalls : ofPages)
    done()
  })
}

/** Everything below /api, but for the page that lists the calls. */
function isCall(url: string): boolean {
  return url.startsWith('/api/') && !url.startsWith('/api/docs')
}

/** What a call answers is data: as a page it may load nothing at all, and what says how pages behave is left out. */
function headersOfCalls(ofPages: Record<string, string>): Record<string, string> {
  const kept = Object.entries(ofPages).filter(([name]) => KEPT_ON_CALLS.has(name))
  return { ...Object.fromEntries(kept), 'content-security-policy': NOTHING }
}

const NOTHING = "default-src 'none'; frame-ancestors 'none'"

/** What stands even on an answer that was given before any of ours could be added. */
export const LEAST_HEADERS = { 'content-security-policy': NOTHING, 'x-content-type-options': 'nosniff' }

const KEPT_ON_CALLS = new Set([
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
])

function headersOfPages(config: Config): Promise<Record<string, string>> {
  const stripe = config.stripe !== undefined
  const https = config.publicUrl.startsWith('https:')
  return headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...(stripe ? [STRIPE_SCRIPT] : [])],
        // Radix writes a few style elements of its own; a style cannot run code.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(stripe ? [STRIPE_API] : [])],
        frameSrc: stripe ? STRIPE_FRAMES : ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    crossOriginEmbedderPolicy: false,
    // The window that opens the seller's onboarding must still see it close.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
}

/** What helmet would add. It is the same for every answer, so it is worked out once. */
async function headersOf(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const trial = fastify()
  await trial.register(helmet, options)
  trial.get('/', async () => '')
  const bare = await fastify()
    .get('/', async () => '')
    .inject('/')
  const { headers } = await trial.inject('/')
  const added = Object.entries(headers).filter(([name]) => !(name in bare.headers))
  return {
    ...Object.fromEntries(added.map(([name, value]) => [name, String(value)])),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  }
}
