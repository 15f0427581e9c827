import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BadConfig, listSettings, readConfig, readRole } from './config.ts'

const secrets = { SESSION_SECRET: 's'.repeat(32), DATA_KEY: 'd'.repeat(32) }
const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/sought', ...secrets }

test('without any settings, the server runs as a demo on this machine', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    currency: 'usd',
    demo: true,
    rateLimit: true,
    loadShedding: true,
    logLevel: 'info',
  })
})

test('the demo is off if a database is given, unless it is switched on', () => {
  const DATABASE_URL = 'postgres://localhost/sought'
  expect(readConfig({ DATABASE_URL }).demo).toBe(false)
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true)
})

test('DATABASE_DIRECT_URL requires DATABASE_URL', () => {
  const DATABASE_DIRECT_URL = 'postgres://localhost/sought'
  expect(
    readConfig({ DATABASE_DIRECT_URL, DATABASE_URL: 'postgres://pooler/sought' }).databaseDirectUrl,
  ).toBe(DATABASE_DIRECT_URL)
  expect(() => readConfig({ DATABASE_DIRECT_URL })).toThrow(
    'DATABASE_URL is required if DATABASE_DIRECT_URL is set',
  )
})

test('DATABASE_REPLICA_URLS requires DATABASE_URL', () => {
  const DATABASE_REPLICA_URLS = 'postgres://replica/sought'
  const withPrimary = readConfig({ DATABASE_REPLICA_URLS, DATABASE_URL: 'postgres://localhost/sought' })
  expect(withPrimary.databaseReplicaUrls).toEqual([DATABASE_REPLICA_URLS])
  expect(() => readConfig({ DATABASE_REPLICA_URLS })).toThrow(
    'DATABASE_URL is required if DATABASE_REPLICA_URLS is set',
  )
})

test('production listens on all addresses and has no demo', () => {
  expect(readConfig(production)).toMatchObject({
    production: true,
    host: '0.0.0.0',
    demo: false,
  })
})

test('settings that protect people are on by default in production only', () => {
  expect(readConfig({}).settingDefaults).toEqual({
    requireVerifiedEmail: false,
    payoutDelayHours: 0,
    newSellerPayoutDelayDays: 0,
  })
  expect(readConfig(production).settingDefaults).toEqual({
    requireVerifiedEmail: true,
    payoutDelayHours: 24,
    newSellerPayoutDelayDays: 7,
  })
  const delayed = readConfig({ ...production, NEW_SELLER_PAYOUT_DELAY_DAYS: '0' })
  expect(delayed.settingDefaults.newSellerPayoutDelayDays).toBe(0)
})

test('admins need a second factor in production, unless it is switched off', () => {
  expect(readConfig({}).adminSecondFactor).toBe(false)
  expect(readConfig({ ADMIN_SECOND_FACTOR: 'required' }).adminSecondFactor).toBe(true)
  expect(readConfig(production).adminSecondFactor).toBe(true)
  const off = { ...production, ADMIN_SECOND_FACTOR: 'off' }
  expect(readConfig(off).adminSecondFactor).toBe(false)
})

test('production uses the sandbox instead of Stripe only if it is allowed', () => {
  expect(readConfig(production).sandbox).toBeUndefined()
  expect(readConfig({ ...production, SANDBOX: 'allow' }).sandbox).toBeDefined()
})

test('the public URL has the configured port by default, and no slash at its end', () => {
  expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  expect(readConfig({ PUBLIC_URL: 'https://sought.example/' }).publicUrl).toBe('https://sought.example')
})

test('emails need a mail server, and their default sender is at the public host', () => {
  const SMTP_URL = 'smtps://me:secret@mail.example:465'
  expect(readConfig({}).mail).toBe(undefined)
  expect(readConfig({ SMTP_URL, PUBLIC_URL: 'https://sought.example' }).mail).toEqual({
    smtpUrl: SMTP_URL,
    from: 'Sought <no-reply@sought.example>',
  })
  const MAIL_FROM = 'The market <hello@sought.example>'
  expect(readConfig({ SMTP_URL, MAIL_FROM }).mail?.from).toBe(MAIL_FROM)
  expect(readConfig({ SMTP_URL, MAIL_FROM: 'hello@sought.example' }).mail?.from).toBe('hello@sought.example')
})

test('files are stored in S3 if a bucket is given, at Amazon unless there is an endpoint', () => {
  const bucket = {
    S3_BUCKET: 'sought-files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  expect(readConfig({}).s3).toBe(undefined)
  expect(readConfig(bucket).s3).toEqual({
    endpoint: undefined,
    bucket: 'sought-files',
    region: 'eu-central-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })
  const S3_ENDPOINT = 'http://127.0.0.1:9000'
  expect(readConfig({ ...bucket, S3_ENDPOINT }).s3?.endpoint).toBe(S3_ENDPOINT)
  for (const name of Object.keys(bucket))
    expect(() => readConfig({ ...bucket, S3_ENDPOINT, [name]: '' })).toThrow(
      `${name} is required if S3_ENDPOINT is set`,
    )
})

test('several webhook secrets are separated by commas', () => {
  expect(readConfig({}).stripeWebhookSecrets).toEqual([])
  expect(readConfig({ STRIPE_WEBHOOK_SECRET: 'whsec_a' }).stripeWebhookSecrets).toEqual(['whsec_a'])
  const STRIPE_WEBHOOK_SECRET = 'whsec_a, whsec_b,'
  expect(readConfig({ STRIPE_WEBHOOK_SECRET }).stripeWebhookSecrets).toEqual(['whsec_a', 'whsec_b'])
})

test('the sandbox takes its key, its pending days and the platform’s country from the settings', () => {
  expect(readConfig({}).sandbox).toMatchObject({
    secretKey: undefined,
    pendingDays: 2,
    platformCountry: 'US',
  })
  const SANDBOX_SECRET_KEY = 'sk_test_of_these_tests'
  const env = { SANDBOX_SECRET_KEY, SANDBOX_PENDING_DAYS: '0', PLATFORM_COUNTRY: 'MY' }
  expect(readConfig(env).sandbox).toMatchObject({
    secretKey: SANDBOX_SECRET_KEY,
    pendingDays: 0,
    platformCountry: 'MY',
  })
})

test.each([
  'postgres://sought:ab/cd@db.example/sought',
  'postgres://sought:12/34@db.example/sought',
  'postgres://sought:12?34@db.example/sought',
  'postgres://sought:12#34@db.example/sought',
  'postgres://sought:a@b/c@db.example/sought',
  'postgres://sought:a@b#c@db.example/sought',
])('a password that is not escaped is refused, and no part of it is shown: %s', (DATABASE_URL) => {
  const message =
    'must be a URL in which characters such as / ? # and @ of the password are escaped, such as %2F for /'
  expect(() => readConfig({ DATABASE_URL })).toThrow(new BadConfig(`DATABASE_URL: ${message}`))
})

test.each([
  'postgres://sought:ab%2Fcd@db.example:5432/sought',
  'postgresql://sought@db.example/sought?sslmode=require',
  'postgres://sought:secret@/sought?host=/var/run/postgresql',
  'postgres:///sought?host=/var/run/postgresql&user=me@server',
])('the database may be at %s', (DATABASE_URL) => {
  expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
})

test('keys are lists, separated by commas', () => {
  const [one, two] = ['1'.repeat(16), '2'.repeat(16)]
  expect(readConfig({ SESSION_SECRET: one, DATA_KEY: ` ${two} , ${one},` })).toMatchObject({
    sessionSecrets: [one],
    dataKeys: [two, one],
  })
})

test.each([',', `${'1'.repeat(16)},short`])('DATA_KEY cannot be %j', (DATA_KEY) => {
  expect(() => readConfig({ DATA_KEY })).toThrow(/^DATA_KEY: must have at least 16 characters$/)
})

test('every secret can be read from a file, without the line break at its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const values = {
    SESSION_SECRET: 's'.repeat(32),
    DATA_KEY: 'd'.repeat(32),
    DATABASE_URL: 'postgres://sought:secret@localhost/sought',
    DATABASE_DIRECT_URL: 'postgres://sought:secret@direct/sought',
    DATABASE_REPLICA_URLS: 'postgres://one/sought,postgres://two/sought',
    BACKUP_PASSPHRASE: 'b'.repeat(16),
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1,whsec_2',
    SANDBOX_SECRET_KEY: 'sk_test_2',
    GOOGLE_CLIENT_SECRET: 'google',
    SMTP_URL: 'smtps://me:secret@mail.example',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 's3',
    EASYPOST_API_KEY: 'easy',
    EASYPOST_WEBHOOK_SECRET: 'e'.repeat(16),
    VAPID_PRIVATE_KEY: 'vapid',
    METRICS_TOKEN: 'm'.repeat(16),
    POSTMARK_WEBHOOK_SECRET: 'p'.repeat(16),
  }
  const others = {
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    GOOGLE_CLIENT_ID: 'id',
    S3_BUCKET: 'sought',
    S3_REGION: 'eu',
    VAPID_PUBLIC_KEY: 'public',
  }
  const inFiles: Record<string, string> = { ...others }
  for (const [name, value] of Object.entries(values)) {
    inFiles[`${name}_FILE`] = join(folder, name)
    await writeFile(join(folder, name), `${value}\n`)
  }
  expect(readConfig(inFiles)).toEqual(readConfig({ ...values, ...others }))
  const secrets = listSettings().flatMap(({ settings }) => settings.filter(({ isSecret }) => isSecret))
  expect(secrets.map(({ name }) => name).toSorted()).toEqual(Object.keys(values).toSorted())

  const path = join(folder, 'DATA_KEY')
  expect(() => readConfig({ DATA_KEY: values.DATA_KEY, DATA_KEY_FILE: path })).toThrow(
    'DATA_KEY and DATA_KEY_FILE are both set: keep one of them',
  )
  expect(() => readConfig({ DATA_KEY_FILE: `${path}.missing` })).toThrow(
    `DATA_KEY_FILE: ${path}.missing cannot be read (ENOENT)`,
  )
  await writeFile(path, '\n')
  expect(() => readConfig({ DATA_KEY_FILE: path })).toThrow(`DATA_KEY_FILE: ${path} is empty`)
})

test('all invalid settings are named, each once', () => {
  const environment = {
    NODE_ENV: 'production',
    PORT: 'many',
    SESSION_SECRET: 'short',
    DATA_KEY_FILE: '/does/not/exist',
    PUBLIC_URL: 'http://sought.example',
    S3_BUCKET: 's3://sought',
    S3_REGION: 'eu',
    GOOGLE_CLIENT_ID: 'id',
  }
  expect(problemsOf(environment)).toEqual([
    'DATA_KEY_FILE: /does/not/exist cannot be read (ENOENT)',
    'PORT: must be a whole number',
    'SESSION_SECRET: must have at least 16 characters',
    'S3_BUCKET: must be the name of a bucket',
    'DATABASE_URL is required in production',
    'PUBLIC_URL: must start with https:// in production, except on localhost',
    'GOOGLE_CLIENT_SECRET is required if GOOGLE_CLIENT_ID is set',
    'S3_ACCESS_KEY_ID is required if S3_REGION is set',
    'S3_SECRET_ACCESS_KEY is required if S3_REGION is set',
  ])
})

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof BadConfig) return error.problems
    throw error
  }
  return []
}

test('production needs https, except on this machine', () => {
  const urlOf = (PUBLIC_URL: string) => readConfig({ ...production, PUBLIC_URL }).publicUrl
  for (const url of [
    'https://sought.example',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:8080',
    'http://a.localhost',
  ])
    expect(urlOf(url)).toBe(url)
  for (const url of ['http://sought.example', 'http://localhost.example', 'http://127.0.0.1.example'])
    expect(() => urlOf(url)).toThrow('PUBLIC_URL: must start with https:// in production')
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

test.each([
  [{ PORT: 'many' }, 'PORT: must be a whole number'],
  [{ PORT: '70000' }, 'PORT: must be at most 65535'],
  [{ PUBLIC_URL: 'sought.example' }, 'PUBLIC_URL: must be an http or https URL'],
  [{ DATABASE_URL: 'mysql://localhost' }, 'DATABASE_URL: must start with postgres:// or postgresql://'],
  [{ S3_BUCKET: 'sought' }, 'S3_REGION is required if S3_BUCKET is set'],
  [{ S3_SECRET_ACCESS_KEY: 'secret' }, 'S3_BUCKET is required if S3_SECRET_ACCESS_KEY is set'],
  [{ S3_ENDPOINT: 's3.example' }, 'S3_ENDPOINT: must be an http or https URL'],
  [{ S3_BUCKET: 's3://sought' }, 'S3_BUCKET: must be the name of a bucket'],
  [{ SMTP_URL: 'mail.example:25' }, 'SMTP_URL: must be an smtp or smtps URL'],
  [{ MAIL_FROM: 'Sought' }, 'MAIL_FROM: must contain an email address'],
  [{ MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, 'MAIL_FROM: must contain an email address'],
  [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET: must have at least 16 characters'],
  [{ GOOGLE_CLIENT_ID: 'id' }, 'GOOGLE_CLIENT_SECRET is required if GOOGLE_CLIENT_ID is set'],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk' }, 'STRIPE_SECRET_KEY is required if STRIPE_PUBLISHABLE_KEY is set'],
  [{ SANDBOX_SECRET_KEY: 'sk_live_0123456789' }, 'SANDBOX_SECRET_KEY: must start with sk_test_'],
  [{ PLATFORM_COUNTRY: 'Malaysia' }, 'PLATFORM_COUNTRY: must be a two-letter country code'],
  [{ NODE_ENV: 'production', DATA_KEY: secrets.DATA_KEY }, 'SESSION_SECRET is required in production'],
  [{ NODE_ENV: 'production', SESSION_SECRET: secrets.SESSION_SECRET }, 'DATA_KEY is required in production'],
  [{ NODE_ENV: 'production', ...secrets }, 'DATABASE_URL is required in production'],
  [{ ...production, DEMO: 'on' }, 'DEMO cannot be on in production'],
])('%j prevents the start: %s', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(line)
})

test.each(['CURRENCY', 'DEMO', 'RATE_LIMIT', 'LOAD_SHEDDING', 'LOG_LEVEL'])(
  'an invalid %s is reported in one line that names it',
  (name) => {
    expect(() => readConfig({ [name]: 'perhaps' })).toThrow(new RegExp(`^${name}: [^\n]+$`))
  },
)

test('a process answers requests, runs jobs, or does both', () => {
  expect(readRole([])).toEqual({ web: true, worker: true })
  expect(readRole(['web'])).toEqual({ web: true, worker: false })
  expect(readRole(['worker'])).toEqual({ web: false, worker: true })
  for (const args of [['jobs'], ['web', 'worker']])
    expect(() => readRole(args)).toThrow('npm start takes one argument, web or worker, or none for both')
})
