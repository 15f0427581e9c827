import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type CallError, send } from './client.ts'

/** The cache key of a call: its path and its input. */
export function getQueryKey<C extends Call>(call: C, input?: InputOf<C>): readonly unknown[] {
  return input === undefined ? [call.path] : [call.path, input]
}

/** A call without params, query and body is read without an input. */
type ReadArguments<C extends Call> = keyof InputOf<C> extends never
  ? [input?: undefined, options?: ReadOptions<C>]
  : [input: InputOf<C>, options?: ReadOptions<C>]

interface ReadOptions<C extends Call> {
  enabled?: boolean
  /** How long the data counts as fresh. The default is forever. */
  staleMs?: number
  /** How long to wait before polling again, or false to stop. The default is not to poll. */
  pollMs?: (data: ReplyOf<C> | undefined) => number | false
}

/** Reads data with a call and caches it. */
export function useRead<C extends Call>(
  call: C,
  ...[input, options = {}]: ReadArguments<C>
): UseQueryResult<ReplyOf<C>, CallError> {
  return useQuery({
    queryKey: getQueryKey(call, input),
    queryFn: ({ signal }) => send(call, input ?? ({} as InputOf<C>), signal),
    enabled: options.enabled ?? true,
    staleTime: options.staleMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => options.pollMs?.(state.data) ?? false,
    retryOnMount: wasSent,
  })
}

/** A refusal that the page contained is not requested again. */
const wasSent = ({ state }: { state: { errorUpdateCount: number } }) => state.errorUpdateCount > 0

interface PagesOptions<Item> {
  enabled?: boolean
  staleMs?: number
  /** The params in the path of the call. */
  params?: Record<string, string>
  /** Returns the cursor of the page after this item. */
  idOf?: (item: Item) => number | string
}

/** Items without an `id` of their own need `idOf`. */
type PagesArguments<Item> = Item extends { id: number }
  ? [options?: PagesOptions<Item>]
  : [options: PagesOptions<Item> & Required<Pick<PagesOptions<Item>, 'idOf'>>]

const getId = (item: unknown) => (item as { id: number }).id

/** Reads a list page by page, from `query.cursor` on. The last id of a page is the cursor of the next. */
export function useReadPages<C extends Call, Item>(
  call: C & { reply: z.ZodMiniArray<z.ZodMiniType<Item>> },
  query: Record<string, string | undefined> & { limit: string },
  ...[options = {}]: PagesArguments<Item>
) {
  const { idOf = getId, params }: PagesOptions<Item> = options
  const cursorAfter = (items: Item[]) => {
    const last = items.at(-1)
    return last === undefined ? undefined : String(idOf(last))
  }
  const list = useInfiniteQuery<Item[], CallError, Item[], readonly unknown[], string | undefined>({
    queryKey: getQueryKey(call, { params, query, pages: true } as never),
    queryFn: async ({ pageParam: cursor, signal }): Promise<Item[]> =>
      send<Call>(
        call,
        { params, query: { ...query, ...(cursor && { cursor }) } } as never,
        signal,
      ) as Promise<never>,
    enabled: options.enabled ?? true,
    staleTime: options.staleMs ?? Number.POSITIVE_INFINITY,
    initialPageParam: undefined as string | undefined,
    retryOnMount: wasSent,
    getNextPageParam: (page: Item[]) => (page.length < Number(query.limit) ? undefined : cursorAfter(page)),
    select: ({ pages }) => pages.flat(),
  })
  return { ...list, nextCursor: list.hasNextPage ? cursorAfter(list.data ?? []) : undefined }
}

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
 * The changes of a call, shown before the reply and undone if it fails. The calls must be among those to refresh.
 * Never used for money, where only the server's reply counts.
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
        // Data loaded in the meantime is newer than both.
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

interface SendOptions<C extends Call> {
  refreshes?: readonly Call[]
  optimistic?: OptimisticChanges<InputOf<C>>
}

/** Makes a call that changes something, then refreshes what it affects. For calls with a toast, see useAction. */
export function useSend<C extends Call>(call: C, { refreshes = [], optimistic }: SendOptions<C> = {}) {
  const cache = useQueryClient()
  return useMutation<ReplyOf<C>, CallError, InputOf<C>, (() => void) | undefined>({
    mutationFn: (input) => send(call, input),
    onMutate: (input) => optimistic && applyChanges(cache, optimistic(input)),
    onSuccess: () => refresh(cache, refreshes),
    onError: (_error, _input, undo) => {
      if (!undo) return
      undo()
      void refresh(cache, refreshes)
    },
  })
}

/** Marks the cached data of these calls as stale, for all inputs, and loads again what is on screen. */
export async function refresh(cache: QueryClient, calls: readonly Call[]): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      const queryKey = getQueryKey(call)
      // A running first load may have read the data before the change, and React Query would not repeat it.
      await cache.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined })
      await cache.invalidateQueries({ queryKey })
    }),
  )
}
