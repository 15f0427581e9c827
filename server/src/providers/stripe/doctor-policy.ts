import { STRIPE_SOURCES } from './browser-sources.ts'
import type { Finding } from './doctor-finding.ts'

const TIMEOUT_MS = 5_000
const WHAT = 'Content security policy'

/** Checks the policy as browsers receive it, because a proxy may have replaced ours. */
export async function checkPolicy(publicUrl: string): Promise<Finding> {
  const headers = await readHeaders(publicUrl)
  if (!headers) {
    const warning = `${publicUrl} does not answer yet, so it could not be read`
    return { what: WHAT, warning, remedy: 'Run this again when the server has started.' }
  }
  const policies = (headers.get('content-security-policy') ?? '').split(',').filter((it) => it.trim())
  const blocked = policies.flatMap((policy) => blockedBy(parsePolicy(policy)))
  if (blocked.length === 0) return { what: WHAT, fine: 'it allows the payment form of Stripe' }
  const problem = `${publicUrl} blocks parts of the payment form: ${[...new Set(blocked)].join(', ')}`
  const remedy =
    'Restart the server with the Stripe keys. If a proxy sets this header, let it pass on the server’s.'
  return { what: WHAT, problem, remedy }
}

async function readHeaders(url: string): Promise<Headers | null> {
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await reply.body?.cancel()
    return reply.ok ? reply.headers : null
  } catch {
    return null
  }
}

type Policy = Map<string, string[]>

function parsePolicy(policy: string): Policy {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/))
  return new Map(directives.map(([name = '', ...sources]) => [name.toLowerCase(), sources]))
}

function blockedBy(policy: Policy): string[] {
  return Object.entries(STRIPE_SOURCES).flatMap(([directive, needed]) => {
    const allowed = policy.get(directive) ?? policy.get('default-src')
    if (!allowed) return []
    return needed.filter((source) => !allows(allowed, source)).map((source) => `${directive} ${source}`)
  })
}

/** `https://*.stripe.com` also allows `https://js.stripe.com` and `https://*.js.stripe.com`. */
function allows(allowed: string[], source: string): boolean {
  const host = source.slice('https://'.length)
  return allowed.some((given) => {
    if (given === '*' || given === 'https:') return true
    const pattern = given.replace(/^https:\/\//, '')
    return pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)))
  })
}
