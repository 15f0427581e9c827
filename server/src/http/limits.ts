import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from '../core/errors.ts'

/**
 * Rate limits, counted in PostgreSQL so that all processes share the count. An attempt is counted before it is made,
 * so concurrent attempts are all counted.
 */
export interface Limit {
  /** Counts one attempt. Throws the 429 refusal above the limit. */
  count(key: string): Promise<void>
  /** Takes back one counted attempt that succeeded. */
  giveBack(key: string): Promise<void>
  /** Resets the count of a key. */
  reset(key: string): Promise<void>
}

interface Allowance {
  name: string
  attempts: number
  perSeconds: number
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS

/** All rate limits (ADR 45). Many people may share an address, so its limit is ten times a person's. */
export const allowances = {
  signInByAccount: { name: 'sign-in:account', attempts: 10, perSeconds: 15 * MINUTE_SECONDS },
  signInByAddress: { name: 'sign-in:address', attempts: 100, perSeconds: 15 * MINUTE_SECONDS },
  signInByDevice: { name: 'sign-in:device', attempts: 10, perSeconds: 15 * MINUTE_SECONDS },
  signUpByAccount: { name: 'sign-up:account', attempts: 10, perSeconds: 60 * MINUTE_SECONDS },
  signUpByAddress: { name: 'sign-up:address', attempts: 100, perSeconds: 60 * MINUTE_SECONDS },
  forgottenByAccount: { name: 'forgotten:account', attempts: 5, perSeconds: 60 * MINUTE_SECONDS },
  forgottenByAddress: { name: 'forgotten:address', attempts: 50, perSeconds: 60 * MINUTE_SECONDS },
  linkByAddress: { name: 'link:address', attempts: 100, perSeconds: 60 * MINUTE_SECONDS },
  verificationByAccount: { name: 'verification:account', attempts: 10, perSeconds: 60 * MINUTE_SECONDS },
  phoneCodesByAccount: { name: 'phone-codes:account', attempts: 5, perSeconds: 60 * MINUTE_SECONDS },
  phoneCodesByAddress: { name: 'phone-codes:address', attempts: 50, perSeconds: 60 * MINUTE_SECONDS },
  phoneCodesByNumber: { name: 'phone-codes:number', attempts: 5, perSeconds: DAY_SECONDS },
  dataByAccount: { name: 'data:account', attempts: 10, perSeconds: 60 * MINUTE_SECONDS },
  cspReportByAddress: { name: 'csp-report:address', attempts: 30, perSeconds: 15 * MINUTE_SECONDS },
  browserErrorByAddress: { name: 'browser-error:address', attempts: 30, perSeconds: 15 * MINUTE_SECONDS },
  passwordByAccount: { name: 'password:account', attempts: 10, perSeconds: 15 * MINUTE_SECONDS },
  codeByAccount: { name: 'code:account', attempts: 10, perSeconds: 15 * MINUTE_SECONDS },
  passkeyByAddress: { name: 'passkey:address', attempts: 300, perSeconds: 15 * MINUTE_SECONDS },
  offersByAccount: { name: 'offers:account', attempts: 60, perSeconds: HOUR_SECONDS },
  offersByAddress: { name: 'offers:address', attempts: 600, perSeconds: HOUR_SECONDS },
  messagesByAccount: { name: 'messages:account', attempts: 180, perSeconds: HOUR_SECONDS },
  messagesByAddress: { name: 'messages:address', attempts: 1800, perSeconds: HOUR_SECONDS },
  uploadsByAccount: { name: 'uploads:account', attempts: 120, perSeconds: HOUR_SECONDS },
  uploadsByAddress: { name: 'uploads:address', attempts: 1200, perSeconds: HOUR_SECONDS },
  reportsByAccount: { name: 'reports:account', attempts: 60, perSeconds: HOUR_SECONDS },
  reportsByAddress: { name: 'reports:address', attempts: 600, perSeconds: HOUR_SECONDS },
  typingByAccount: { name: 'typing:account', attempts: 40, perSeconds: MINUTE_SECONDS },
  typingByAddress: { name: 'typing:address', attempts: 400, perSeconds: MINUTE_SECONDS },
  pictureFetchesByAccount: { name: 'picture-fetches:account', attempts: 60, perSeconds: HOUR_SECONDS },
  previewsByAddress: { name: 'previews:address', attempts: 120, perSeconds: MINUTE_SECONDS },
  postsByAccount: { name: 'posts:account', attempts: 40, perSeconds: DAY_SECONDS },
  postsByNewAccount: { name: 'posts:new-account', attempts: 20, perSeconds: DAY_SECONDS },
  postsByAddress: { name: 'posts:address', attempts: 400, perSeconds: DAY_SECONDS },
  editsByAccount: { name: 'edits:account', attempts: 120, perSeconds: DAY_SECONDS },
  editsByNewAccount: { name: 'edits:new-account', attempts: 60, perSeconds: DAY_SECONDS },
  editsByAddress: { name: 'edits:address', attempts: 1200, perSeconds: DAY_SECONDS },
  settlementsByDispute: { name: 'settlements:dispute', attempts: 6, perSeconds: DAY_SECONDS },
  providerByPayment: { name: 'provider:payment', attempts: 60, perSeconds: MINUTE_SECONDS },
  providerByAccount: { name: 'provider:account', attempts: 120, perSeconds: MINUTE_SECONDS },
  firstContactsByAccount: { name: 'first-contacts:account', attempts: 60, perSeconds: DAY_SECONDS },
  firstContactsByNewAccount: { name: 'first-contacts:new-account', attempts: 20, perSeconds: DAY_SECONDS },
  firstContactsByAddress: { name: 'first-contacts:address', attempts: 600, perSeconds: DAY_SECONDS },
  payoutAccountsByAccount: { name: 'payout-accounts:account', attempts: 10, perSeconds: DAY_SECONDS },
  ticketsByAccount: { name: 'tickets:account', attempts: 10, perSeconds: DAY_SECONDS },
  visitorTicketsByAddress: { name: 'visitor-tickets:address', attempts: 20, perSeconds: DAY_SECONDS },
  visitorTicketsByEmail: { name: 'visitor-tickets:email', attempts: 3, perSeconds: DAY_SECONDS },
  ticketMessages: { name: 'ticket-messages', attempts: 30, perSeconds: HOUR_SECONDS },
  doctor: { name: 'doctor', attempts: 6, perSeconds: HOUR_SECONDS },
  payoutResetsByAccount: { name: 'payout-resets:account', attempts: 10, perSeconds: DAY_SECONDS },
} as const satisfies Record<string, Allowance>

export type Limits = Record<keyof typeof allowances, Limit>

const unlimited: Limit = { count: async () => {}, giveBack: async () => {}, reset: async () => {} }

export function createLimits(pool: pg.Pool, on: boolean): Limits {
  const make = (allowance: Allowance) => (on ? createLimit(pool, allowance) : unlimited)
  const names = Object.keys(allowances) as (keyof Limits)[]
  return Object.fromEntries(names.map((name) => [name, make(allowances[name])])) as Limits
}

function createLimit(pool: pg.Pool, { name, attempts, perSeconds }: Allowance): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points: attempts,
    duration: perSeconds,
    clearExpiredByTimeout: false,
  })
  return {
    async count(key) {
      try {
        await limiter.consume(key)
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        throw refuse('too_many', { retryAfterSeconds: Math.max(1, Math.ceil(reason.msBeforeNext / 1000)) })
      }
    },
    async giveBack(key) {
      await limiter.reward(key)
    },
    async reset(key) {
      await limiter.delete(key)
    },
  }
}

/** Counts an attempt for the person, and for everyone at the same address. */
export async function countAttempt(
  limits: Limits,
  what: 'offers' | 'messages' | 'uploads' | 'typing' | 'reports',
  person: { id: string },
  { ip }: { ip: string },
): Promise<void> {
  await limits[`${what}ByAddress`].count(addressKey(ip))
  await limits[`${what}ByAccount`].count(person.id)
}

/** For what costs many others something. Accounts that are younger than a day have a lower limit. */
export async function countByAge(
  limits: Limits,
  what: 'posts' | 'edits' | 'firstContacts',
  { id, createdAt }: { id: string; createdAt: Date },
  { ip }: { ip: string },
  now: Date,
): Promise<void> {
  const isNew = now.getTime() - createdAt.getTime() < DAY_SECONDS * 1000
  await limits[`${what}ByAddress`].count(addressKey(ip))
  await limits[`${what}By${isNew ? 'NewAccount' : 'Account'}`].count(id)
}

/**
 * For calls that ask the card provider. `about` names the payment, or the request that is paid. The person is part of
 * the key, so nobody can use up another person's attempts.
 */
export async function countProviderCall(
  limits: Limits,
  { id }: { id: string },
  about?: string | number,
): Promise<void> {
  await limits.providerByAccount.count(id)
  if (about !== undefined) await limits.providerByPayment.count(`${id}:${about}`)
}

const NETWORK_GROUPS = 4

/** The /64 network for IPv6, because one household has that many addresses. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip
  return groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')
}

/** Expands `::`, which may extend from the network part into the host part. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.split('::').map((part) => part.split(':').filter(Boolean))
  if (tail === undefined) return [...head]
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
}
