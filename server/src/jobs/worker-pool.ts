import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { isPooled } from '../database/pooler.ts'

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: boolean) => void,
) => void

/**
 * The pool for graphile-worker, which asks for a client with a callback only for LISTEN. It then gets a direct
 * connection. Behind a pooler it gets none and polls instead, because its LISTEN would reach other clients. A
 * worker whose jobs may start a little later gets none either: each worker that listens asks for a job whenever
 * any job is added.
 */
export function createWorkerPool(
  { pool, direct }: Pick<Database, 'pool' | 'direct'>,
  { listens }: { listens: boolean },
): pg.Pool {
  const connect = (callback?: ConnectCallback) => {
    if (!callback) return pool.connect()
    if (!listens) return
    direct.connect((error, client, release) => {
      if (client && isPooled(client)) release()
      else callback(error, client, client ? once(release) : release)
    })
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function once(release: (destroy?: boolean) => void) {
  let released = false
  return (destroy?: boolean) => {
    if (released) return
    released = true
    release(destroy)
  }
}
