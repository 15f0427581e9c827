import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from './errors.ts'

/**
 * How often something may be tried, counted in PostgreSQL so that all processes count together.
 * A try is counted before it is made: a hundred tries at once are a hundred tries.
 */
export interface Limit {
  /** Counts one try; throws the 429 refusal once there were too many. */
  count(key: string): Promise<void>
  /** Takes one try back, after it succeeded. */
  giveBack(key: string): Promise<void>
  /** Forgets all tries of a key. */
  forget(key: string): Promise<void>
}

interface Allowance {
  name: string
  tries: number
  perSeconds: number
}

const MINUTE_SECONDS = 60

/** What is limited, in one list (ADR 24). */
export const allowances = {
  signInByAccount: { name: 'sign-in:account', tries: 10, perSeconds: 15 * MINUTE_SECONDS },
  signInByAddress: { name: 'sign-in:address', tries: 100, perSeconds: 15 * MINUTE_SECONDS },
  signUpByAccount: { name: 'sign-up:account', tries: 10, perSeconds: 60 * MINUTE_SECONDS },
  signUpByAddress: { name: 'sign-up:address', tries: 100, perSeconds: 60 * MINUTE_SECONDS },
  forgottenByAccount: { name: 'forgotten:account', tries: 5, perSeconds: 60 * MINUTE_SECONDS },
  forgottenByAddress: { name: 'forgotten:address', tries: 50, perSeconds: 60 * MINUTE_SECONDS },
  linkByAddress: { name: 'link:address', tries: 100, perSeconds: 60 * MINUTE_SECONDS },
  verificationByAccount: { name: 'verification:account', tries: 10, perSeconds: 60 * MINUTE_SECONDS },
  dataByAccount: { name: 'data:account', tries: 10, perSeconds: 60 * MINUTE_SECONDS },
  passwordByAccount: { name: 'password:account', tries: 10, perSeconds: 15 * MINUTE_SECONDS },
} as const satisfies Record<string, Allowance>

export type Limits = Record<keyof typeof allowances, Limit>

const unlimited: Limit = { count: async () => {}, giveBack: async () => {}, forget: async () => {} }

export function createLimits(pool: pg.Pool, on: boolean): Limits {
  const make = (allowance: Allowance) => (on ? createLimit(pool, allowance) : unlimited)
  const names = Object.keys(allowances) as (keyof Limits)[]
  return Object.fromEntries(names.map((name) => [name, make(allowances[name])])) as Limits
}

function createLimit(pool: pg.Pool, { name, tries, perSeconds }: Allowance): Limit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points: tries,
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
    async forget(key) {
      await limiter.delete(key)
    },
  }
}

const NETWORK_GROUPS = 4

/** One key for each household rather than for each of its addresses: an IPv6 network is a /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip
  return groupsOf(ip).slice(0, NETWORK_GROUPS).join(':')
}

/** An IPv6 address leaves its longest run of zeros out, which may reach from the network into the host. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.split('::').map((part) => part.split(':').filter(Boolean))
  if (tail === undefined) return [...head]
  return [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
}

export async function purgeLimits(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('delete from rate_limits where expire < $1', [now.getTime()])
}
