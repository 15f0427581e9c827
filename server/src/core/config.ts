import { resolve } from 'node:path'
import { Currency } from '@sought/contract/currencies'
import type { DeploymentDefaults } from '@sought/contract/market-settings'
import * as z from 'zod/mini'
import type { S3Settings } from './s3-settings.ts'

/*
 * The only file that reads the environment. docs/settings.md is generated from it. An invalid value prevents the
 * start, with one line that names the variable.
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

/**
 * The description of each variable in docs/settings.md. `unset` describes a default that the schema does not
 * contain.
 */
const descriptions = z.registry<{ meaning: string; unset?: string }>()

function about<Schema extends z.ZodMiniType>(schema: Schema, meaning: string, unset?: string): Schema {
  descriptions.add(schema, { meaning, unset })
  return schema
}

/** The schema by section of docs/settings.md. */
const sections = {
  Process: {
    NODE_ENV: about(
      z._default(z.string(), 'development'),
      '`production` requires secrets of your own, hides development pages and turns the demo and the sandbox off.',
    ),
    PORT: about(z._default(wholeNumber(0, 65_535), 3000), 'The port to listen on.'),
    HOST: about(z.optional(z.string()), 'The address to listen on.', '`127.0.0.1`, in production `0.0.0.0`'),
    PUBLIC_URL: about(
      z.optional(httpUrl),
      'The address that people use, for links and for the return from sign-in and onboarding.',
      '`http://localhost:PORT`',
    ),
    TRUST_PROXY: about(
      z._default(z.union([flag, wholeNumber(1, 9)], 'must be on, off or the number of proxies'), false),
      '`on` behind one proxy of yours, or the number of your proxies. Rate limits then count the address of the visitor instead of the proxy.',
    ),
    // Long enough for load balancers that read /readyz every second or two to notice.
    DRAIN_SECONDS: about(
      z._default(wholeNumber(0, 300), 5),
      'How long a process still accepts connections after SIGTERM, so that load balancers notice that it stops.',
    ),
    DATA_DIR: about(
      z._default(z.string(), '.data'),
      'The folder for the embedded database, for generated secrets and, without S3, for files.',
    ),
    DEMO: about(
      z.optional(flag),
      'Fills an empty database with the demo market, without payments if real Stripe keys are set. Refused in production.',
      '`on` with the embedded database, otherwise `off`',
    ),
  },
  Database: {
    DATABASE_URL: about(
      z.optional(postgresUrl),
      'A PostgreSQL of version 15 or later.',
      'the embedded PostgreSQL',
    ),
    DATABASE_DIRECT_URL: about(
      z.optional(postgresUrl),
      'PostgreSQL itself, for live updates and migrations, if `DATABASE_URL` leads to a pooler such as PgBouncer (ADR 72).',
      '`DATABASE_URL`',
    ),
    DATABASE_REPLICA_URLS: about(
      z._default(z.pipe(list, z.array(postgresUrl)), []),
      'Replicas for reads that may be slightly stale, separated by commas (ADR 73).',
    ),
  },
  'Secrets of the deployment': {
    SESSION_SECRET: about(
      z.optional(secret),
      'Signs cookies and links in emails. At least 16 characters.',
      'generated; required in production',
    ),
    DATA_KEY: about(
      z.optional(secret),
      'Encrypts bank details, addresses and the secrets of authenticator apps, which cannot be read without it. At least 16 characters.',
      'generated; required in production',
    ),
    BACKUP_PASSPHRASE: about(
      z.optional(secret),
      'Encrypts what `npm run backup` writes. At least 16 characters.',
      'backups are not encrypted',
    ),
    ADMIN_SECOND_FACTOR: about(
      z.optional(z.enum(['required', 'off'], 'must be required or off')),
      '`required` keeps admins without a passkey or an authenticator app off the admin pages.',
      '`required` in production, otherwise `off`',
    ),
  },
  Files: {
    S3_BUCKET: about(
      z.optional(z.string().check(z.regex(/^[a-z\d][a-z\d.-]+[a-z\d]$/, 'must be the name of a bucket'))),
      'A bucket for the files of this deployment alone. The other variables of S3, except the endpoint, must be set with it.',
      'files are kept in `DATA_DIR/files`',
    ),
    S3_REGION: about(z.optional(z.string()), 'The region of the bucket.'),
    S3_ACCESS_KEY_ID: about(
      z.optional(z.string()),
      'A key that may list the bucket and read, write and delete its objects.',
    ),
    S3_SECRET_ACCESS_KEY: about(z.optional(z.string()), 'The secret of that key.'),
    S3_ENDPOINT: about(
      z.optional(httpUrl),
      'Another server that speaks the API of S3, such as `https://s3.example`. Buckets are then part of the path.',
      "Amazon's",
    ),
  },
  'Card payments': {
    STRIPE_SECRET_KEY: about(
      z.optional(z.string()),
      'The secret key of your Stripe account, for real card payments. Set both keys.',
      'the sandbox; in production nobody can pay',
    ),
    STRIPE_PUBLISHABLE_KEY: about(z.optional(z.string()), 'The publishable key of the same account.'),
    STRIPE_WEBHOOK_SECRET: about(
      z._default(list, []),
      'The secrets that Stripe signs its events with, one for each endpoint, separated by commas.',
      'generated for the sandbox',
    ),
    STRIPE_API_URL: about(
      z.optional(httpUrl),
      "Another host for Stripe's SDK, or a sandbox that runs already.",
      "Stripe's, or the sandbox's",
    ),
    PLATFORM_COUNTRY: about(
      z._default(
        z.string().check(z.regex(/^[A-Z]{2}$/, 'must be a two-letter country code, such as US')),
        'US',
      ),
      'The country of your Stripe account, as an ISO code. It decides how sellers in each country are paid (ADR 39).',
    ),
    CURRENCY: about(
      z.optional(Currency),
      'The currency of a new market, as an ISO code in lower case, such as `eur`. After the first start, the currencies in the settings of the market count (ADR 100).',
      '`usd`',
    ),
    ESCROW_SWEEP_SECONDS: about(
      z._default(wholeNumber(1, 86_400), 60),
      'How often due payments are released and stuck work is retried.',
    ),
    NEW_SELLER_PAYOUT_DELAY_DAYS: about(
      z.optional(wholeNumber(0, 90)),
      'The default of the setting: how many days the payouts of a new seller wait after their first deal was released.',
      '`0`, in production `7`',
    ),
    SANDBOX: about(
      z.optional(z.literal('allow', 'must be allow or unset')),
      '`allow` permits the sandbox in production, for a test deployment.',
    ),
    SANDBOX_PORT: about(
      z._default(wholeNumber(0, 65_535), 0),
      'The port of the sandbox on the loopback interface.',
      'a free port',
    ),
    SANDBOX_SECRET_KEY: about(
      z.optional(z.string().check(z.regex(/^sk_test_\S+$/, 'must start with sk_test_'))),
      "The secret key of the sandbox's API. Starts with `sk_test_`.",
      'generated',
    ),
    SANDBOX_PENDING_DAYS: about(
      z._default(wholeNumber(0, 31), 2),
      'How many days the money of a charge is pending in the sandbox.',
    ),
  },
  'Sign-in with Google': {
    GOOGLE_CLIENT_ID: about(z.optional(z.string()), 'The id of your client. Set it with the secret.'),
    GOOGLE_CLIENT_SECRET: about(z.optional(z.string()), 'The secret of that client.'),
    GOOGLE_ISSUER: about(
      z._default(httpUrl, 'https://accounts.google.com'),
      'Another OpenID Connect issuer.',
    ),
  },
  Email: {
    SMTP_URL: about(
      z.optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' })),
      'The mail server, such as `smtps://user:password@mail.example:465`. With `smtp:`, the connection is encrypted if the server supports it.',
      'emails are shown at `/dev/mail`; in production none are sent',
    ),
    MAIL_FROM: about(
      z.optional(z.string().check(z.regex(/^[^\r\n]*[^\s<]@[^\s>]+>?$/, 'must contain an email address'))),
      'The sender of emails.',
      '`Sought <no-reply@HOST>`, with the host of `PUBLIC_URL`',
    ),
  },
  'Parcel tracking': {
    EASYPOST_API_KEY: about(
      z.optional(z.string()),
      'The key of your EasyPost account. Set it with the secret.',
      'in development a stand-in; in production parcels are not followed',
    ),
    EASYPOST_WEBHOOK_SECRET: about(
      z.optional(secret),
      'The secret of the webhook in EasyPost. At least 16 characters.',
    ),
    EASYPOST_API_URL: about(
      z._default(httpUrl, 'https://api.easypost.com'),
      "Another host for EasyPost's API.",
    ),
  },
  'Push notifications': {
    VAPID_PUBLIC_KEY: about(
      z.optional(z.string()),
      'The public key for push notifications. Set both keys.',
      'generated and stored in the database',
    ),
    VAPID_PRIVATE_KEY: about(z.optional(z.string()), 'The private key for push notifications.'),
  },
  Monitoring: {
    METRICS_PORT: about(
      z.optional(wholeNumber(1, 65_535)),
      'A separate port for `/metrics`, `/healthz` and `/readyz`.',
    ),
    METRICS_HOST: about(
      z._default(z.string(), LOOPBACK),
      'The address on which `METRICS_PORT` listens. With another one, `/metrics` needs `METRICS_TOKEN`.',
    ),
    METRICS_TOKEN: about(
      z.optional(secret),
      'Allows reading `/metrics` on the public port with `Authorization: Bearer …`. Without it, that port answers 404.',
    ),
    OTEL_EXPORTER_OTLP_ENDPOINT: about(
      z.optional(httpUrl),
      'An OpenTelemetry collector, such as `http://127.0.0.1:4318`, that gets traces over HTTP.',
      'no traces',
    ),
    LOG_LEVEL: about(
      z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
      'One of fatal, error, warn, info, debug, trace and silent.',
    ),
  },
  'Tests only': {
    RATE_LIMIT: about(z._default(flag, true), '`off` turns off all rate limits, for load tests.'),
    LOAD_SHEDDING: about(
      z._default(flag, true),
      '`off` lets an overloaded server accept all requests, for test suites that use all processors.',
    ),
  },
}

const Environment = z.object({
  ...sections.Process,
  ...sections.Database,
  ...sections['Secrets of the deployment'],
  ...sections.Files,
  ...sections['Card payments'],
  ...sections['Sign-in with Google'],
  ...sections.Email,
  ...sections['Parcel tracking'],
  ...sections['Push notifications'],
  ...sections.Monitoring,
  ...sections['Tests only'],
})

export interface Setting {
  name: string
  meaning: string
  /** The behaviour without the variable. */
  unset: string
}

/** All variables by section, for docs/settings.md. A variable without a description is an error. */
export function listSettings(): { section: string; settings: Setting[] }[] {
  return Object.entries(sections).map(([section, variables]) => ({
    section,
    settings: Object.entries(variables).map(([name, schema]) => {
      const description = descriptions.get(schema)
      if (!description) throw new Error(`${name} has no description`)
      return { name, meaning: description.meaning, unset: description.unset ?? defaultOf(schema) }
    }),
  }))
}

function defaultOf(schema: z.ZodMiniType): string {
  const given = schema instanceof z.ZodMiniDefault ? schema.def.defaultValue : undefined
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return 'unset'
  return `\`${typeof given === 'boolean' ? (given ? 'on' : 'off') : given}\``
}

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
  /** For settings of the market that the operator has not set. */
  settingDefaults: DeploymentDefaults
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  /** Set if EasyPost tracks parcels. */
  easyPost: { apiKey: string; webhookSecret: string; apiUrl: string } | undefined
  /** Replaces the generated keys for push notifications. */
  pushKeys: { publicKey: string; privateKey: string } | undefined
  /** Set if there is a mail server. */
  mail: { smtpUrl: string; from: string } | undefined
  /** Of a new market. The settings of an existing one name its currencies. */
  currency: Currency
  isCurrencyGiven: boolean
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
    settingDefaults: {
      requireVerifiedEmail: production,
      payoutDelayHours: production ? 24 : 0,
      newSellerPayoutDelayDays: env.NEW_SELLER_PAYOUT_DELAY_DAYS ?? (production ? 7 : 0),
    },
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
    currency: env.CURRENCY ?? 'usd',
    isCurrencyGiven: env.CURRENCY !== undefined,
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
