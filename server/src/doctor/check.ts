import type { Resolver } from 'node:dns/promises'
import type { StatsFs } from 'node:fs'
import type { DoctorCheck } from '@sought/contract/doctor'
import type pg from 'pg'
import type { Config } from '../core/config.ts'
import { describeError } from '../core/describe-error.ts'
import type { Secrets } from '../core/secrets.ts'
import type { FileStorage } from '../providers/files/file-storage.ts'

/** What the checks of `npm run doctor` look at. */
export interface Patient {
  config: Config
  secrets: Secrets
  /** The folders with programs, in the format of PATH. */
  path: string
  dns: Pick<Resolver, 'resolveTxt' | 'resolveMx' | 'resolve4' | 'resolve6'>
  now(): Date
  /** Blocks of the disk of a folder. */
  statfs(folder: string): Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>>
  storage: FileStorage
  /** Null if the database does not answer. */
  database: pg.Pool | null
}

export type Finding = Pick<DoctorCheck, 'state' | 'message'>

export const ok = (message: string): Finding => ({ state: 'ok', message })
export const warn = (message: string): Finding => ({ state: 'warn', message })
export const fail = (message: string): Finding => ({ state: 'FAIL', message })

/** Null if there is nothing to check. */
export type Check = (patient: Patient) => Promise<Finding | null>

const TIMEOUT_MS = 20_000

/** A check that fails or takes too long is a finding too. */
export async function runCheck(check: string, patient: Patient, run: Check): Promise<DoctorCheck[]> {
  const found = await withTimeout(run(patient)).catch((error: unknown) => fail(reasonOf(error)))
  return found ? [{ check, ...found }] : []
}

export async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`no answer within ${TIMEOUT_MS / 1000} seconds`)),
    TIMEOUT_MS,
  )
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The innermost cause, such as `connect ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  let described = describeError(error)
  while (described?.cause ?? described?.errors?.[0]) described = described?.cause ?? described?.errors?.[0]
  const { message, code } = described ?? {}
  return message || code || 'unknown error'
}

/** Providers may repeat what we sent them, and a report is shown to people who do not know the settings. */
export function hideSecrets(text: string, { config, secrets }: Pick<Patient, 'config' | 'secrets'>): string {
  const urls = [
    config.databaseUrl,
    config.databaseDirectUrl,
    ...config.databaseReplicaUrls,
    config.mail?.smtpUrl,
  ]
  const passwords = urls.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).password] : []))
  const hidden = [
    ...passwords,
    ...passwords.map(decode),
    ...secrets.sessionKeys.all,
    ...secrets.dataKeys.all,
    ...config.stripeWebhookSecrets,
    config.stripe?.secretKey,
    config.s3?.secretAccessKey,
    config.backupPassphrase,
    config.google?.clientSecret,
    config.easyPost?.apiKey,
    config.easyPost?.webhookSecret,
    config.pushKeys?.privateKey,
    config.metricsToken,
  ]
  return hidden.reduce<string>((shown, secret) => (secret ? shown.replaceAll(secret, '…') : shown), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
