import type pg from 'pg'

/*
 * Simulates a crash of a server inside this process. All its work stops immediately, because nothing that it awaits
 * ever settles. Its database connections break, so PostgreSQL rolls back uncommitted changes.
 */

/** Crash just before or after the nth event of this kind from now. */
export interface CrashTrigger {
  at: 'statement' | 'commit' | 'provider call'
  when: 'before' | 'after'
  countdown: number
}

export interface CrashSwitch {
  hasCrashed(): boolean
  /** Resolves when the server crashes. */
  readonly crashed: Promise<void>
  arm(trigger: CrashTrigger | null): void
  /** Counts an event. Returns whether to crash before or after it, or null. */
  countEvent(at: CrashTrigger['at']): CrashTrigger['when'] | null
  crash(): void
  /** The result of the work, or undefined if the server crashes first. */
  untilCrash<Result>(work: Promise<Result>): Promise<Result | undefined>
}

export function createCrashSwitch(): CrashSwitch {
  let hasCrashed = false
  let trigger: CrashTrigger | null = null
  const { promise: crashed, resolve } = Promise.withResolvers<void>()
  return {
    crashed,
    hasCrashed: () => hasCrashed,
    arm(newTrigger) {
      trigger = newTrigger
    },
    countEvent(at) {
      if (hasCrashed || trigger?.at !== at || --trigger.countdown > 0) return null
      const { when } = trigger
      trigger = null
      return when
    },
    crash() {
      hasCrashed = true
      resolve()
    },
    untilCrash: (work) => Promise.race([work, crashed.then(() => undefined)]),
  }
}

const never = new Promise<never>(() => {})

/** An object whose method calls never settle after the crash. */
export function stopAtCrash<Thing extends object>(thing: Thing, crashSwitch: CrashSwitch): Thing {
  return new Proxy(thing, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => (crashSwitch.hasCrashed() ? never : Reflect.apply(value, target, given))
    },
  })
}

type Query = (...given: unknown[]) => unknown

/** Counts the statements and commits of a pool, and closes its connections at the crash. */
export function stopPoolAtCrash(pool: pg.Pool, crashSwitch: CrashSwitch): void {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.once('end', () => clients.delete(client))
    const query = client.query.bind(client) as Query
    client.query = ((...given: unknown[]) =>
      crashSwitch.hasCrashed() ? never : runQuery(crashSwitch, given, query)) as typeof client.query
  })
  const connect = pool.connect.bind(pool) as Query
  pool.connect = ((...given: unknown[]) =>
    crashSwitch.hasCrashed() ? never : connect(...given)) as typeof pool.connect
  void crashSwitch.crashed.then(() => {
    // Either way, the transaction is rolled back: pg destroys a connection with a running query and ends any other.
    for (const client of clients) void (client as unknown as pg.Client).end().catch(() => {})
  })
}

function runQuery(crashSwitch: CrashSwitch, given: unknown[], query: Query): unknown {
  const when = crashSwitch.countEvent(isCommit(given[0]) ? 'commit' : 'statement')
  if (when === 'before') {
    crashSwitch.crash()
    return never
  }
  const result = query(...given.map((argument) => unlessCrashed(crashSwitch, argument)))
  if (!(result instanceof Promise)) return result
  return new Promise((resolve, reject) => {
    const settle = (how: (value: unknown) => void) => (value: unknown) => {
      if (when === 'after') crashSwitch.crash()
      if (!crashSwitch.hasCrashed()) how(value)
    }
    result.then(settle(resolve), settle(reject))
  })
}

/** A callback is not called after the crash. */
function unlessCrashed(crashSwitch: CrashSwitch, argument: unknown): unknown {
  if (typeof argument !== 'function') return argument
  return (...given: unknown[]) =>
    crashSwitch.hasCrashed() ? undefined : Reflect.apply(argument, undefined, given)
}

function isCommit(query: unknown): boolean {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query
  return typeof text === 'string' && /^commit$/i.test(text.trim())
}
