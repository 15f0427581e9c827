import type pg from 'pg'

/*
 * The life of a server inside this process. Its death is a kill played: whatever it had under way stops where it
 * stands, since from then on nothing that it waits for ever comes. Its connections break, so that PostgreSQL undoes
 * what was not committed.
 */

/** Where a server dies: at the so many-th such moment from now, just before it or just after. */
export interface Aim {
  at: 'statement' | 'commit' | 'provider call'
  when: 'before' | 'after'
  countdown: number
}

export interface Life {
  isOver(): boolean
  /** Resolves when it ends. */
  readonly end: Promise<void>
  aimAt(aim: Aim | null): void
  /** Counts such a moment; says when to die, if it is the one. */
  isStruck(at: Aim['at']): Aim['when'] | null
  die(): void
  /** What the work gives, or nothing if it is cut off. */
  during<Result>(work: Promise<Result>): Promise<Result | undefined>
}

export function beginLife(): Life {
  let over = false
  let aim: Aim | null = null
  const { promise: end, resolve } = Promise.withResolvers<void>()
  return {
    end,
    isOver: () => over,
    aimAt(wanted) {
      aim = wanted
    },
    isStruck(at) {
      if (over || aim?.at !== at || --aim.countdown > 0) return null
      const { when } = aim
      aim = null
      return when
    },
    die() {
      over = true
      resolve()
    },
    during: (work) => Promise.race([work, end.then(() => undefined)]),
  }
}

const never = new Promise<never>(() => {})

/** Something whose calls are never answered once the life is over. */
export function mortal<Thing extends object>(thing: Thing, life: Life): Thing {
  return new Proxy(thing, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => (life.isOver() ? never : Reflect.apply(value, target, given))
    },
  })
}

type Query = (...given: unknown[]) => unknown

/** Binds a pool to a life: it counts statements and commits, and with the life all its connections end. */
export function bindPool(pool: pg.Pool, life: Life): void {
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.once('end', () => clients.delete(client))
    const query = client.query.bind(client) as Query
    client.query = ((...given: unknown[]) =>
      life.isOver() ? never : asked(life, given, query)) as typeof client.query
  })
  const connect = pool.connect.bind(pool) as Query
  pool.connect = ((...given: unknown[]) => (life.isOver() ? never : connect(...given))) as typeof pool.connect
  void life.end.then(() => {
    // A connection with a question under way is cut, any other says goodbye; either way the transaction is undone.
    for (const client of clients) void (client as unknown as pg.Client).end().catch(() => {})
  })
}

function asked(life: Life, given: unknown[], query: Query): unknown {
  const when = life.isStruck(isCommit(given[0]) ? 'commit' : 'statement')
  if (when === 'before') {
    life.die()
    return never
  }
  const answer = query(...given.map((it) => unlessOver(life, it)))
  if (!(answer instanceof Promise)) return answer
  return new Promise((resolve, reject) => {
    const tell = (how: (what: unknown) => void) => (what: unknown) => {
      if (when === 'after') life.die()
      if (!life.isOver()) how(what)
    }
    answer.then(tell(resolve), tell(reject))
  })
}

/** What is to be called back is not, once nobody is there to be called. */
function unlessOver(life: Life, given: unknown): unknown {
  if (typeof given !== 'function') return given
  return (...heard: unknown[]) => (life.isOver() ? undefined : Reflect.apply(given, undefined, heard))
}

function isCommit(asked: unknown): boolean {
  const text = typeof asked === 'object' && asked !== null && 'text' in asked ? asked.text : asked
  return typeof text === 'string' && /^commit$/i.test(text.trim())
}
