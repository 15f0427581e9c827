import { resolve } from 'node:path'
import { Currency } from '@sought/contract/platform'
import * as z from 'zod/mini'
import type { S3Settings } from './s3-settings.ts'

/*
 * The only file that reads the environment. The README lists all variables. An invalid value stops the start with
 * one line that names the variable.
 */

const flag = z.pipe(
  z.enum(['on', 'off']),
  z.transform((value) => value === 'on'),
)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const POSTGRES_URL = /^postgres(ql)?:\/\//
const postgresUrl = z.string().check(z.regex(POSTGRES_URL, 'must start with postgres:// or postgresql://'))
const secret = z.string().check(z.minLength(16, 'must have at least 16 characters'))
const wholeNumber = (min: number, max: number) =>
  z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, 'must be a whole number')), z.transform(Number)),
    z.int().check(z.gte(min, `must be at least ${min}`), z.lte(max, `must be at most ${max}`)),
  )

/** Several values, separated by commas. */
const list = z.pipe(
  z.string(),
  z.transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)

const LOOPBACK = '127.0.0.1'

const Environment = z.object({
  NODE_ENV: z._default(z.string(), 'development'),
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  HOST: z.optional(z.string()),
  PUBLIC_URL: z.optional(httpUrl),
  TRUST_PROXY: z._default(
    z.union([flag, wholeNumber(1, 9)], 'must be on, off or the number of proxies'),
    false,
  ),
  DATABASE_URL: z.optional(postgresUrl),
  DATABASE_DIRECT_URL: z.optional(postgresUrl),
  DATABASE_REPLICA_URLS: z._default(z.pipe(list, z.array(postgresUrl)), []),
  // By then, load balancers that read /readyz every second or two have noticed.
  DRAIN_SECONDS: z._default(wholeNumber(0, 300), 5),
  DATA_DIR: z._default(z.string(), '.data'),
  S3_ENDPOINT: z.optional(httpUrl),
  S3_BUCKET: z.optional(
    z.string().check(z.regex(/^[a-z\d][a-z\d.-]+[a-z\d]$/, 'must be the name of a bucket')),
  ),
  S3_REGION: z.optional(z.string()),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  BACKUP_PASSPHRASE: z.optional(secret),
  SESSION_SECRET: z.optional(secret),
  DATA_KEY: z.optional(secret),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: z.optional(z.string()),
  STRIPE_WEBHOOK_SECRET: z._default(list, []),
  STRIPE_API_URL: z.optional(httpUrl),
  SANDBOX: z.optional(z.literal('allow', 'must be allow or unset')),
  SANDBOX_PORT: z._default(wholeNumber(0, 65_535), 0),
  SANDBOX_SECRET_KEY: z.optional(z.string().check(z.regex(/^sk_test_\S+$/, 'must start with sk_test_'))),
  SANDBOX_PENDING_DAYS: z._default(wholeNumber(0, 31), 2),
  PLATFORM_COUNTRY: z._default(
    z.string().check(z.regex(/^[A-Z]{2}$/, 'must be a two-letter country code, such as US')),
    'US',
  ),
  ESCROW_SWEEP_SECONDS: z._default(wholeNumber(1, 86_400), 60),
  NEW_SELLER_PAYOUT_DELAY_DAYS: z._default(wholeNumber(0, 90), 0),
  GOOGLE_CLIENT_ID: z.optional(z.string()),
  GOOGLE_CLIENT_SECRET: z.optional(z.string()),
  GOOGLE_ISSUER: z._default(httpUrl, 'https://accounts.google.com'),
  EASYPOST_API_KEY: z.optional(z.string()),
  EASYPOST_WEBHOOK_SECRET: z.optional(secret),
  EASYPOST_API_URL: z._default(httpUrl, 'https://api.easypost.com'),
  VAPID_PUBLIC_KEY: z.optional(z.string()),
  VAPID_PRIVATE_KEY: z.optional(z.string()),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' })),
  MAIL_FROM: z.optional(
    z.string().check(z.regex(/^[^\r\n]*[^\s<]@[^\s>]+>?$/, 'must contain an email address')),
  ),
  CURRENCY: z._default(Currency, 'usd'),
  DEMO: z.optional(flag),
  ADMIN_SECOND_FACTOR: z.optional(z.enum(['required', 'off'], 'must be required or off')),
  METRICS_TOKEN: z.optional(secret),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(httpUrl),
  METRICS_PORT: z.optional(wholeNumber(1, 65_535)),
  METRICS_HOST: z._default(z.string(), LOOPBACK),
  RATE_LIMIT: z._default(flag, true),
  LOAD_SHEDDING: z._default(flag, true),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})

export interface StripeKeys {
  secretKey: string
  publishableKey: string
  /** Replaces Stripe's own API host. */
  apiUrl: string | undefined
}

export interface SandboxSettings {
  port: number
  /** The URL of a running sandbox. If set, this process starts none. */
  apiUrl: string | undefined
  /** Generated if not set. */
  secretKey: string | undefined
  /** The number of days until a charge becomes available. */
  pendingDays: number
  platformCountry: string
}

export interface Config {
  production: boolean
  port: number
  host: string
  publicUrl: string
  /** The number of our proxies. X-Forwarded-For entries beyond them are not trusted. */
  proxies: number
  /** How long a stopping process still accepts connections. */
  drainSeconds: number
  databaseUrl: string | undefined
  /** A direct connection to PostgreSQL, if the database URL leads to a pooler (ADR 72). */
  databaseDirectUrl: string | undefined
  /** For reads that may be slightly stale (ADR 73). */
  databaseReplicaUrls: string[]
  dataDir: string
  /** Set if files are kept in S3 instead of DATA_DIR. */
  s3: S3Settings | undefined
  /** Encrypts backups if set. */
  backupPassphrase: string | undefined
  sessionSecret: string | undefined
  dataKey: string | undefined
  stripe: StripeKeys | undefined
  /** Set if the sandbox replaces Stripe: if there are no real keys, and in production only with SANDBOX=allow. */
  sandbox: SandboxSettings | undefined
  /**
   * An event is valid if any of these secrets signed it, because Stripe's platform and Connect endpoints have
   * different ones.
   */
  stripeWebhookSecrets: string[]
  /** The country of the Stripe account's owner. Decides how sellers in other countries are paid. */
  platformCountry: string
  escrowSweepSeconds: number
  /** The number of days that a seller's payouts wait after their first release. */
  newSellerPayoutDelayDays: number
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  /** Set if EasyPost tracks parcels. */
  easyPost: { apiKey: string; webhookSecret: string; apiUrl: string } | undefined
  /** Replaces the generated keys for push notifications. */
  pushKeys: { publicKey: string; privateKey: string } | undefined
  /** Set if there is a mail server. */
  mail: { smtpUrl: string; from: string } | undefined
  currency: Currency
  demo: boolean
  /** Whether admins need a second factor. */
  adminSecondFactor: boolean
  metricsToken: string | undefined
  /** The address that serves metrics. On the loopback interface they need no token. */
  metricsListener: { port: number; host: string; needsToken: boolean } | undefined
  /** The URL of the trace collector, if there is one. */
  tracesUrl: string | undefined
  rateLimit: boolean
  /** Whether an overloaded server refuses requests (http/pressure.ts). */
  loadShedding: boolean
  logLevel: string
}

/** The tasks of this process: answering requests, running jobs, or both. */
export interface Role {
  web: boolean
  worker: boolean
}

/** An invalid setting. The message is one line and names the variable. */
export class BadConfig extends Error {}

// biome-ignore lint/style/noProcessEnv: this is the one file that reads it
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const env = parse(environment)
  const production = env.NODE_ENV === 'production'
  if (production) {
    for (const name of ['SESSION_SECRET', 'DATA_KEY'] as const) {
      if (!env[name]) throw new BadConfig(`${name} is required in production`)
    }
    if (env.DEMO) throw new BadConfig('DEMO cannot be on in production')
  }
  if (!env.DATABASE_URL && env.DATABASE_DIRECT_URL)
    throw new BadConfig('DATABASE_URL is required if DATABASE_DIRECT_URL is set')
  if (!env.DATABASE_URL && env.DATABASE_REPLICA_URLS.length > 0)
    throw new BadConfig('DATABASE_URL is required if DATABASE_REPLICA_URLS is set')
  const apiUrl = env.STRIPE_API_URL
  const stripe = requireBoth(
    env,
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    (secretKey, publishableKey) => ({
      secretKey,
      publishableKey,
      apiUrl,
    }),
  )
  const publicUrl = (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, '')
  const from = env.MAIL_FROM ?? `Sought <no-reply@${new URL(publicUrl).hostname}>`
  const sandboxed = !stripe && (!production || env.SANDBOX === 'allow')
  return {
    production,
    port: env.PORT,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl,
    proxies: Number(env.TRUST_PROXY),
    drainSeconds: env.DRAIN_SECONDS,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    databaseReplicaUrls: env.DATABASE_REPLICA_URLS,
    dataDir: resolve(env.DATA_DIR),
    s3: readS3(env),
    backupPassphrase: env.BACKUP_PASSPHRASE,
    sessionSecret: env.SESSION_SECRET,
    dataKey: env.DATA_KEY,
    stripe,
    sandbox: sandboxed
      ? {
          port: env.SANDBOX_PORT,
          apiUrl,
          secretKey: env.SANDBOX_SECRET_KEY,
          pendingDays: env.SANDBOX_PENDING_DAYS,
          platformCountry: env.PLATFORM_COUNTRY,
        }
      : undefined,
    stripeWebhookSecrets: env.STRIPE_WEBHOOK_SECRET,
    platformCountry: env.PLATFORM_COUNTRY,
    escrowSweepSeconds: env.ESCROW_SWEEP_SECONDS,
    newSellerPayoutDelayDays: env.NEW_SELLER_PAYOUT_DELAY_DAYS,
    google: requireBoth(env, 'GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', (clientId, clientSecret) => ({
      clientId,
      clientSecret,
      issuer: env.GOOGLE_ISSUER,
    })),
    easyPost: requireBoth(env, 'EASYPOST_API_KEY', 'EASYPOST_WEBHOOK_SECRET', (apiKey, webhookSecret) => ({
      apiKey,
      webhookSecret,
      apiUrl: env.EASYPOST_API_URL.replace(/\/$/, ''),
    })),
    pushKeys: requireBoth(env, 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', (publicKey, privateKey) => ({
      publicKey,
      privateKey,
    })),
    mail: env.SMTP_URL ? { smtpUrl: env.SMTP_URL, from } : undefined,
    currency: env.CURRENCY,
    demo: env.DEMO ?? (!production && !env.DATABASE_URL),
    adminSecondFactor: env.ADMIN_SECOND_FACTOR ? env.ADMIN_SECOND_FACTOR === 'required' : production,
    metricsToken: env.METRICS_TOKEN,
    metricsListener: readMetricsListener(env),
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    rateLimit: env.RATE_LIMIT,
    loadShedding: env.LOAD_SHEDDING,
    logLevel: env.LOG_LEVEL,
  }
}

/** The role is the argument of `npm start`. */
export function readRole([name, ...others]: string[]): Role {
  if (others.length > 0 || (name !== undefined && name !== 'web' && name !== 'worker'))
    throw new BadConfig('npm start takes one argument, web or worker, or none for both')
  return { web: name !== 'worker', worker: name !== 'web' }
}

/** An empty variable counts as unset, as most shells and compose files mean it. */
function parse(environment: Record<string, string | undefined>): z.output<typeof Environment> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BadConfig(`${issue?.path.join('.')}: ${issue?.message}`)
}

const S3_REQUIRED = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Only the endpoint may be missing. Then Amazon's is used. */
function readS3(env: z.output<typeof Environment>): S3Settings | undefined {
  const set = (['S3_ENDPOINT', ...S3_REQUIRED] as const).find((name) => env[name])
  if (!set) return undefined
  const given = (name: (typeof S3_REQUIRED)[number]): string => {
    const value = env[name]
    if (!value) throw new BadConfig(`${name} is required if ${set} is set`)
    return value
  }
  return {
    endpoint: env.S3_ENDPOINT,
    bucket: given('S3_BUCKET'),
    region: given('S3_REGION'),
    accessKeyId: given('S3_ACCESS_KEY_ID'),
    secretAccessKey: given('S3_SECRET_ACCESS_KEY'),
  }
}

/** Metrics describe the business, so other machines need the token. */
function readMetricsListener({ METRICS_PORT, METRICS_HOST, METRICS_TOKEN }: z.output<typeof Environment>) {
  if (METRICS_PORT === undefined) return undefined
  const needsToken = METRICS_HOST !== LOOPBACK
  if (needsToken && !METRICS_TOKEN) throw new BadConfig('METRICS_TOKEN is required if METRICS_HOST is set')
  return { port: METRICS_PORT, host: METRICS_HOST, needsToken }
}

/** Two variables that must be set together. */
function requireBoth<Name extends string, Result>(
  env: { [name in Name]?: string | undefined },
  first: Name,
  second: Name,
  make: (first: string, second: string) => Result,
): Result | undefined {
  const [one, two] = [env[first], env[second]]
  if (one && two) return make(one, two)
  if (one || two) throw new BadConfig(`${one ? second : first} is required if ${one ? first : second} is set`)
  return undefined
}
