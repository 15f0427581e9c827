import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Currency } from '@sought/contract/currency-code'
import type { DeploymentDefaults } from '@sought/contract/market-settings'
import * as z from 'zod/mini'
import { isPostgresUrl } from './postgres-url.ts'
import type { S3Settings } from './s3-settings.ts'

/*
 * The only file that reads the environment. docs/settings.md is generated from it. Invalid values prevent the start,
 * with one line for each that names the variable.
 */

const flag = z.pipe(
  z.enum(['on', 'off']),
  z.transform((value) => value === 'on'),
)
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const POSTGRES_URL = /^postgres(ql)?:\/\//
const postgresUrl = z
  .string()
  .check(
    z.regex(POSTGRES_URL, 'must start with postgres:// or postgresql://'),
    z.refine(
      isPostgresUrl,
      'must be a URL in which characters such as / ? # and @ of the password are escaped, such as %2F for /',
    ),
  )
const hostAndPort = z.pipe(
  z.string().check(z.regex(/^([\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, 'must be HOST:PORT')),
  z.transform((value) => {
    const { hostname, port } = new URL(`tcp://${value}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  }),
)
const TOPIC_ARN = /^arn:aws(-us-gov)?:sns:[a-z]{2}(-[a-z]+)+-\d:\d{12}:[\w-]{1,256}$/
const topicArn = z.string().check(z.regex(TOPIC_ARN, 'must be the ARN of a topic of SNS'))
const SECRET_MIN_LENGTH = 16
const TOO_SHORT = `must have at least ${SECRET_MIN_LENGTH} characters`
const secret = z.string().check(z.minLength(SECRET_MIN_LENGTH, TOO_SHORT))
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

/** The first key writes, and all read (ADR 105). */
const keys = list.check(
  z.refine(
    (given) => given.length > 0 && given.every(({ length }) => length >= SECRET_MIN_LENGTH),
    TOO_SHORT,
  ),
)

const LOOPBACK = '127.0.0.1'
const LOOPBACK_HOST = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

/**
 * The description of each variable in docs/settings.md. `unset` describes a default that the schema does not
 * contain.
 */
const descriptions = z.registry<{ meaning: string; unset?: string; isSecret: boolean }>()

function about<Schema extends z.ZodMiniType>(schema: Schema, meaning: string, unset?: string): Schema {
  return describe(schema, { meaning, unset, isSecret: false })
}

/** Like `about`, for a variable whose value may also be in a file: `NAME_FILE` names the file. */
function aboutSecret<Schema extends z.ZodMiniType>(schema: Schema, meaning: string, unset?: string): Schema {
  return describe(schema, { meaning, unset, isSecret: true })
}

function describe<Schema extends z.ZodMiniType>(
  schema: Schema,
  description: { meaning: string; unset: string | undefined; isSecret: boolean },
): Schema {
  descriptions.add(schema, description)
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
    DATABASE_URL: aboutSecret(
      z.optional(postgresUrl),
      'A PostgreSQL of version 15 or later.',
      'the embedded PostgreSQL; required in production',
    ),
    DATABASE_DIRECT_URL: aboutSecret(
      z.optional(postgresUrl),
      'PostgreSQL itself, for live updates and migrations, if `DATABASE_URL` leads to a pooler such as PgBouncer (ADR 72).',
      '`DATABASE_URL`',
    ),
    DATABASE_REPLICA_URLS: aboutSecret(
      z._default(z.pipe(list, z.array(postgresUrl)), []),
      'Replicas for reads that may be slightly stale, separated by commas (ADR 73).',
    ),
  },
  'Secrets of the deployment': {
    SESSION_SECRET: aboutSecret(
      z.optional(keys),
      'Signs cookies and links in emails. At least 16 characters. Several are separated by commas: the first signs, and all are accepted (ADR 105).',
      'generated; required in production',
    ),
    DATA_KEY: aboutSecret(
      z.optional(keys),
      'Encrypts bank details, addresses and the secrets of authenticator apps, which cannot be read without it. At least 16 characters. Several are separated by commas: the first encrypts, and all decrypt (ADR 105).',
      'generated; required in production',
    ),
    BACKUP_PASSPHRASE: aboutSecret(
      z.optional(secret),
      'Encrypts what `npm run backup` writes. At least 16 characters.',
      'backups are not encrypted',
    ),
    BACKUP_TARGET: about(
      z.optional(z.string()),
      'The folder or `s3://BUCKET/PREFIX` that `npm run backup` writes to, so that `npm run doctor` checks the newest backup.',
      'only its age is checked',
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
    S3_ACCESS_KEY_ID: aboutSecret(
      z.optional(z.string()),
      'A key that may list the bucket and read, write and delete its objects.',
    ),
    S3_SECRET_ACCESS_KEY: aboutSecret(z.optional(z.string()), 'The secret of that key.'),
    S3_ENDPOINT: about(
      z.optional(httpUrl),
      'Another server that speaks the API of S3, such as `https://s3.example`. Buckets are then part of the path.',
      "Amazon's",
    ),
    CLAMD_HOST: about(
      z.optional(hostAndPort),
      'The address of a clamd, such as `127.0.0.1:3310`, that scans uploads for viruses. What it could not scan yet is held back (ADR 109).',
      'uploads are not scanned',
    ),
  },
  'Card payments': {
    STRIPE_SECRET_KEY: aboutSecret(
      z.optional(z.string()),
      'The secret key of your Stripe account, for real card payments. Set both keys.',
      'the sandbox; in production nobody can pay',
    ),
    STRIPE_PUBLISHABLE_KEY: about(z.optional(z.string()), 'The publishable key of the same account.'),
    STRIPE_WEBHOOK_SECRET: aboutSecret(
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
    SANDBOX_SECRET_KEY: aboutSecret(
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
    GOOGLE_CLIENT_SECRET: aboutSecret(z.optional(z.string()), 'The secret of that client.'),
    GOOGLE_ISSUER: about(
      z._default(httpUrl, 'https://accounts.google.com'),
      'Another OpenID Connect issuer.',
    ),
  },
  Email: {
    SMTP_URL: aboutSecret(
      z.optional(z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' })),
      'The mail server, such as `smtps://user:password@mail.example:465`. With `smtp:`, the connection is encrypted if the server supports it.',
      'emails are shown at `/dev/mail`; in production none are sent',
    ),
    MAIL_FROM: about(
      z.optional(z.string().check(z.regex(/^[^\r\n]*[^\s<]@[^\s>]+>?$/, 'must contain an email address'))),
      'The sender of emails.',
      '`Sought <no-reply@HOST>`, with the host of `PUBLIC_URL`',
    ),
    SES_TOPIC_ARN: about(
      z._default(z.pipe(list, z.array(topicArn)), []),
      'The SNS topics to which Amazon SES reports bounces and complaints, separated by commas. Subscribe `PUBLIC_URL` + `/api/mail/bounces/ses` to them.',
    ),
    POSTMARK_WEBHOOK_SECRET: aboutSecret(
      z.optional(secret),
      'The password in the address of a webhook in Postmark for bounces and spam complaints: `https://sought:PASSWORD@HOST/api/mail/bounces/postmark`. At least 16 characters.',
    ),
  },
  'Parcel tracking': {
    EASYPOST_API_KEY: aboutSecret(
      z.optional(z.string()),
      'The key of your EasyPost account. Set it with the secret.',
      'in development a stand-in; in production parcels are not followed',
    ),
    EASYPOST_WEBHOOK_SECRET: aboutSecret(
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
    VAPID_PRIVATE_KEY: aboutSecret(z.optional(z.string()), 'The private key for push notifications.'),
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
    METRICS_TOKEN: aboutSecret(
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

type Env = z.output<typeof Environment>
type Name = keyof Env

/** The variables whose value may be in a file. */
const SECRETS = Object.entries(Environment.shape)
  .filter(([, schema]) => descriptions.get(schema)?.isSecret)
  .map(([name]) => name)

export interface Setting {
  name: string
  meaning: string
  /** The behaviour without the variable. */
  unset: string
  /** Whether the value may be in a file. */
  isSecret: boolean
}

/** All variables by section, for docs/settings.md. A variable without a description is an error. */
export function listSettings(): { section: string; settings: Setting[] }[] {
  return Object.entries(sections).map(([section, variables]) => ({
    section,
    settings: Object.entries(variables).map(([name, schema]) => {
      const description = descriptions.get(schema)
      if (!description) throw new Error(`${name} has no description`)
      const { meaning, unset = defaultOf(schema), isSecret } = description
      return { name, meaning, unset, isSecret }
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
  /** Set if uploads are scanned for viruses. */
  clamd: { host: string; port: number } | undefined
  /** Encrypts backups if set. */
  backupPassphrase: string | undefined
  /** Where backups are, for the doctor. */
  backupTarget: string | undefined
  sessionSecrets: string[] | undefined
  dataKeys: string[] | undefined
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
  /** The topics whose reports about emails are believed. */
  sesTopicArns: string[]
  /** Proves that Postmark reports about emails. */
  postmarkSecret: string | undefined
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

/** Invalid settings. The message has one line for each, which names the variable. */
export class BadConfig extends Error {
  readonly problems: readonly string[]

  constructor(...problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

// biome-ignore lint/style/noProcessEnv: this is the one file that reads it
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const { env, problems } = parse(environment)
  problems.push(...findProblems(env))
  // A missing variable is not reported if it is set, but has an invalid value.
  const isReported = (name: string) =>
    problems.some((problem) => problem.startsWith(`${name}: `) || problem.startsWith(`${name}_FILE: `))
  const left = problems.filter((problem) => !isReported(problem.replace(/ is required .*/, '')))
  if (left.length > 0) throw new BadConfig(...new Set(left))
  const production = env.NODE_ENV === 'production'
  const apiUrl = env.STRIPE_API_URL
  const stripe = bothOf(env.STRIPE_SECRET_KEY, env.STRIPE_PUBLISHABLE_KEY, (secretKey, publishableKey) => ({
    secretKey,
    publishableKey,
    apiUrl,
  }))
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
    clamd: env.CLAMD_HOST,
    backupPassphrase: env.BACKUP_PASSPHRASE,
    backupTarget: env.BACKUP_TARGET,
    sessionSecrets: env.SESSION_SECRET,
    dataKeys: env.DATA_KEY,
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
    google: bothOf(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET, (clientId, clientSecret) => ({
      clientId,
      clientSecret,
      issuer: env.GOOGLE_ISSUER,
    })),
    easyPost: bothOf(env.EASYPOST_API_KEY, env.EASYPOST_WEBHOOK_SECRET, (apiKey, webhookSecret) => ({
      apiKey,
      webhookSecret,
      apiUrl: env.EASYPOST_API_URL.replace(/\/$/, ''),
    })),
    pushKeys: bothOf(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY, (publicKey, privateKey) => ({
      publicKey,
      privateKey,
    })),
    mail: env.SMTP_URL ? { smtpUrl: env.SMTP_URL, from } : undefined,
    sesTopicArns: env.SES_TOPIC_ARN,
    postmarkSecret: env.POSTMARK_WEBHOOK_SECRET,
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

/** Variables with an invalid value are reported, and then count as unset. */
function parse(environment: Record<string, string | undefined>): { env: Env; problems: string[] } {
  const { given, problems } = readFiles(environment)
  const parsed = Environment.safeParse(given)
  if (parsed.success) return { env: parsed.data, problems }
  const { issues } = parsed.error
  const invalid = new Set(issues.map(({ path: [name] }) => name))
  const valid = Object.entries(given).filter(([name]) => !invalid.has(name))
  return {
    env: Environment.parse(Object.fromEntries(valid)),
    problems: [...problems, ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`)],
  }
}

/**
 * Reads secrets from the files that `NAME_FILE` names. An empty variable counts as unset, as most shells and compose
 * files mean it.
 */
function readFiles(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const problems: string[] = []
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: keep one of them`)
    const { value, problem } = readSecretFile(file)
    if (problem) problems.push(`${name}_FILE: ${problem}`)
    given[name] ??= value
  }
  return { given, problems }
}

/** Editors and `echo` end a file with a line break, which is not part of the secret. */
function readSecretFile(file: string): { value?: string; problem?: string } {
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value ? { value } : { problem: `${file} is empty` }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return { problem: `${file} cannot be read (${code})` }
  }
}

const S3_REQUIRED = ['S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Variables that must be set together. */
const PAIRS = [
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['EASYPOST_API_KEY', 'EASYPOST_WEBHOOK_SECRET'],
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
] as const satisfies [Name, Name][]

/** What is wrong with values that are valid on their own. */
function findProblems(env: Env): string[] {
  const problems: string[] = []
  const isSet = (name: Name) => (Array.isArray(env[name]) ? env[name].length > 0 : env[name] !== undefined)
  const require = (names: readonly Name[], reason: string) =>
    problems.push(...names.filter((name) => !isSet(name)).map((name) => `${name} is required ${reason}`))
  if (env.NODE_ENV === 'production') {
    require(['SESSION_SECRET', 'DATA_KEY', 'DATABASE_URL'], 'in production')
    if (env.DEMO) problems.push('DEMO cannot be on in production')
    if (env.PUBLIC_URL && !isSecure(env.PUBLIC_URL))
      problems.push('PUBLIC_URL: must start with https:// in production, except on localhost')
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS'] as const)
    if (isSet(name)) require(['DATABASE_URL'], `if ${name} is set`)
  for (const pair of PAIRS) {
    const given = pair.find(isSet)
    if (given) require(pair, `if ${given} is set`)
  }
  const s3 = (['S3_ENDPOINT', ...S3_REQUIRED] as const).find(isSet)
  if (s3) require(S3_REQUIRED, `if ${s3} is set`)
  // Metrics describe the business, so other machines need the token.
  if (env.METRICS_PORT !== undefined && env.METRICS_HOST !== LOOPBACK)
    require(['METRICS_TOKEN'], 'if METRICS_HOST is set')
  return problems
}

/** The cookie of production works only over https and on this machine. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || LOOPBACK_HOST.test(hostname)
}

/** Only the endpoint may be missing. Then Amazon's is used. */
function readS3({ S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_ENDPOINT }: Env) {
  if (!S3_BUCKET || !S3_REGION || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  }
}

function readMetricsListener({ METRICS_PORT: port, METRICS_HOST: host }: Env) {
  return port === undefined ? undefined : { port, host, needsToken: host !== LOOPBACK }
}

/** Of two variables that are set together. */
function bothOf<Result>(
  first: string | undefined,
  second: string | undefined,
  make: (first: string, second: string) => Result,
): Result | undefined {
  return first && second ? make(first, second) : undefined
}
