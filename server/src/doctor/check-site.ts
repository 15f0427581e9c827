import { connect } from 'node:tls'
import { type Check, type Finding, fail, ok, type Patient, reasonOf, warn } from './check.ts'
import { judgeClock } from './check-database.ts'

/* How the site looks from outside: through the proxy, by its public address. */

const TIMEOUT_MS = 10_000
const DAY_MS = 86_400_000
const CERTIFICATE_DAYS = 14
const LOOPBACK = /^(localhost|127\.|\[::1\])/

const request = (url: string, options: RequestInit = {}) =>
  fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), ...options })

async function readSite({ config }: Patient): Promise<Headers | Finding> {
  const response = await request(`${config.publicUrl}/api/config`).catch((error: unknown) =>
    fail(`${config.publicUrl} does not answer: ${reasonOf(error)}.`),
  )
  if (!(response instanceof Response)) return response
  await response.body?.cancel()
  if (response.status >= 500)
    return fail(
      `${config.publicUrl} answers ${response.status}. The proxy does not reach the server, or the server is not ready.`,
    )
  if (!response.headers.has('x-request-id'))
    return fail(
      `${config.publicUrl} is answered by something else than Sought. Check PUBLIC_URL and the proxy.`,
    )
  return response.headers
}

const publicUrl: Check = async (patient) => {
  const site = await readSite(patient)
  return site instanceof Headers ? ok(`${patient.config.publicUrl} answers.`) : site
}

/** Makes a check of the headers, which has nothing to do if the site does not answer. */
const withHeaders =
  (check: (headers: Headers, patient: Patient) => Finding | null): Check =>
  async (patient) => {
    const site = await readSite(patient)
    return site instanceof Headers ? check(site, patient) : null
  }

const securityHeaders = withHeaders((headers, { config }) => {
  const expected = ['content-security-policy', 'x-content-type-options', 'referrer-policy']
  if (config.publicUrl.startsWith('https:')) expected.push('strict-transport-security')
  const missing = expected.filter((name) => !headers.has(name))
  return missing.length === 0
    ? ok('The security headers of the server reach browsers.')
    : fail(`The proxy removes ${missing.join(', ')}. Let it pass on the headers of the server.`)
})

const siteClock: Check = async (patient) => {
  const before = patient.now().getTime()
  const site = await readSite(patient)
  if (!(site instanceof Headers)) return null
  const date = Date.parse(site.get('date') ?? '')
  if (Number.isNaN(date)) return warn(`${patient.config.publicUrl} sends no date.`)
  const after = patient.now().getTime()
  // The header has no fractions of a second, and was written between the two.
  const difference = date > after ? date - after : Math.min(0, date + 1000 - before)
  return judgeClock(patient.config.publicUrl, difference / 1000)
}

const certificate: Check = async ({ config, now }) => {
  const { protocol, hostname, port } = new URL(config.publicUrl)
  if (protocol !== 'https:') return null
  const expires = await readExpiry(hostname, Number(port || 443))
  const days = Math.floor((expires.getTime() - now().getTime()) / DAY_MS)
  return days < CERTIFICATE_DAYS
    ? warn(`The certificate of ${hostname} ends in ${days} days. Check that it is renewed.`)
    : ok(`The certificate of ${hostname} is valid for ${days} days.`)
}

function readExpiry(host: string, port: number): Promise<Date> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>()
  const socket = connect({ host, port, servername: host, timeout: TIMEOUT_MS }, () => {
    resolve(new Date(socket.getPeerCertificate().valid_to))
    socket.end()
  })
  socket.once('error', reject)
  socket.once('timeout', () => socket.destroy(new Error('the TLS handshake takes too long')))
  return promise
}

/** A visitor who types the name without https must arrive at https. */
const https: Check = async ({ config }) => {
  const url = new URL(config.publicUrl)
  if (url.protocol !== 'https:' || url.port) return null
  const plain = await request(`http://${url.host}/`, { redirect: 'manual' }).catch(() => null)
  await plain?.body?.cancel()
  if (!plain) return warn(`http://${url.host} does not answer. Let the proxy redirect it to https.`)
  return plain.headers.get('location')?.startsWith('https:')
    ? ok('http is redirected to https.')
    : fail(
        `http://${url.host} answers ${plain.status} without a redirect to https. Passwords could be sent in plain text.`,
      )
}

const proxyHeaders: Check = async ({ config }) => {
  const isLocal = LOOPBACK.test(new URL(config.publicUrl).host)
  if (config.proxies === 0 && config.production && !isLocal)
    return warn(
      'TRUST_PROXY is off: rate limits count all visitors behind a proxy as one. Set it to on, or to the number of your proxies.',
    )
  return ok(
    config.proxies === 0
      ? 'No proxy is trusted.'
      : `The addresses of visitors are taken from X-Forwarded-For of ${config.proxies === 1 ? 'one proxy' : `${config.proxies} proxies`}.`,
  )
}

const google: Check = async ({ config }) => {
  if (!config.google) return null
  const response = await request(
    `${config.google.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  await response.body?.cancel()
  return response.ok ? ok('Google answers.') : fail(`GOOGLE_ISSUER answers ${response.status}.`)
}

const metrics: Check = async ({ config }) => {
  const { metricsListener, metricsToken, production } = config
  if (!metricsListener && !metricsToken)
    return production
      ? warn('Neither METRICS_PORT nor METRICS_TOKEN is set: nothing watches this deployment.')
      : null
  const host = metricsListener?.host.replace(/^(0\.0\.0\.0|::)$/, '127.0.0.1')
  const url = metricsListener
    ? `http://${host}:${metricsListener.port}/metrics`
    : `${config.publicUrl}/metrics`
  const headers: Record<string, string> = metricsToken ? { authorization: `Bearer ${metricsToken}` } : {}
  const response = await request(url, { headers }).catch((error: unknown) => reasonOf(error))
  if (typeof response === 'string') return fail(`${url} does not answer: ${response}.`)
  const text = await response.text()
  return response.ok && text.includes('sought_')
    ? ok(`${url} has figures.`)
    : fail(`${url} answers ${response.status} without figures. Check METRICS_TOKEN and the proxy.`)
}

export const siteChecks: Record<string, Check> = {
  'public-url': publicUrl,
  https,
  certificate,
  'security-headers': securityHeaders,
  'proxy-headers': proxyHeaders,
  'site-clock': siteClock,
  google,
  metrics,
}
