import type pg from 'pg'
import type { PooledDb } from './database.ts'

interface Batch<Key, Row> {
  keys: Set<Key>
  rows: Promise<Map<Key, Row>>
}

/**
 * For rows that many visitors request one by one. One statement reads all keys requested in the same turn of the
 * event loop, and starts after all of them (ADR 35). If the statement fails, it fails for all, so keys must be
 * validated first.
 */
export function batchReads<Key, Row>(read: (db: PooledDb, keys: Key[]) => Promise<Map<Key, Row>>) {
  const batches = new WeakMap<pg.Pool, Batch<Key, Row>>()

  function start(db: PooledDb): Batch<Key, Row> {
    const keys = new Set<Key>()
    const rows = new Promise<Map<Key, Row>>((resolve, reject) => {
      setImmediate(() => {
        batches.delete(db.$client)
        read(db, [...keys]).then(resolve, reject)
      })
    })
    const batch = { keys, rows }
    batches.set(db.$client, batch)
    return batch
  }

  /** The result is shared between callers, so they must not change it. */
  return async (db: PooledDb, key: Key): Promise<Readonly<Row> | undefined> => {
    const batch = batches.get(db.$client) ?? start(db)
    batch.keys.add(key)
    return (await batch.rows).get(key)
  }
}
