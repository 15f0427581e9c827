import type { Call, ReplyOf } from '@sought/contract/call'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { getQueryKey } from './calls.ts'

/** A change of the cached data of one call, for all inputs. */
interface CacheChange {
  call: Call
  apply: (reply: never) => unknown
}

export const changeReply = <C extends Call>(
  call: C,
  apply: (reply: ReplyOf<C>) => ReplyOf<C>,
): CacheChange => ({ call, apply })

/** Changes the items of a list that match. */
export const changeItems = <C extends Call, Item>(
  call: C & { reply: z.ZodMiniArray<z.ZodMiniType<Item>> },
  matches: (item: Item) => boolean,
  changes: Partial<Item>,
): CacheChange => ({
  call,
  apply: (items: Item[]) => items.map((item) => (matches(item) ? { ...item, ...changes } : item)),
})

/**
 * The changes of cached data that a call shows before its reply, and that are undone if it fails. They must be limited
 * to the subjects that the call changes. Never used for money, where only the server's reply counts.
 */
export type OptimisticChanges<Input> = (input: Input) => readonly CacheChange[]

/** Changes cached data immediately, and returns a function that restores it. */
export async function applyChanges(cache: QueryClient, changes: readonly CacheChange[]): Promise<() => void> {
  const undo: (() => void)[] = []
  for (const { call, apply } of changes) {
    const filter = { queryKey: getQueryKey(call), predicate: hasData }
    // A running refresh would overwrite the change with older data.
    await cache.cancelQueries(filter)
    for (const [key, data] of cache.getQueriesData(filter)) {
      const changed = cache.setQueryData(key, mapReplies(data, apply as (reply: unknown) => unknown))
      undo.push(() => {
        // Data that was loaded in the meantime is newer than the restored data, so it is kept.
        if (cache.getQueryData(key) === changed) cache.setQueryData(key, data)
      })
    }
  }
  return () => {
    for (const restore of undo.reverse()) restore()
  }
}

const hasData = ({ state }: Query) => state.data !== undefined

/** Lists that are read page by page are cached as pages. */
function mapReplies(data: unknown, apply: (reply: unknown) => unknown): unknown {
  const isPaged = typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data
  return isPaged ? { ...data, pages: (data as InfiniteData<unknown>).pages.map(apply) } : apply(data)
}
