import type { Call, InputOf, ReplyOf, Subject } from '@sought/contract/call'
import {
  type Query,
  type QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
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
  /** How long to wait before polling again, or false to stop. The default is not to poll. */
  pollMs?: (data: ReplyOf<C> | undefined) => number | false
}

/** How the cache treats the replies to a call. */
export const getCacheOptions = ({ about, fresh = Number.POSITIVE_INFINITY }: Call) => ({
  meta: { about },
  staleTime: fresh === 'on open' ? 0 : fresh,
})

/** Reads data with a call and caches it. */
export function useRead<C extends Call>(
  call: C,
  ...[input, options = {}]: ReadArguments<C>
): UseQueryResult<ReplyOf<C>, CallError> {
  return useQuery({
    queryKey: getQueryKey(call, input),
    queryFn: ({ signal }) => send(call, input ?? ({} as InputOf<C>), signal),
    enabled: options.enabled ?? true,
    ...getCacheOptions(call),
    refetchInterval: ({ state }) => options.pollMs?.(state.data) ?? false,
    retryOnMount: wasSent,
  })
}

/** A refusal that was already in the page is not requested again. */
const wasSent = ({ state }: { state: { errorUpdateCount: number } }) => state.errorUpdateCount > 0

interface PagesOptions<Item> {
  enabled?: boolean
  /** The params in the path of the call. */
  params?: Record<string, string>
  /** Returns the cursor of the page after this item. */
  idOf?: (item: Item) => number | string
}

/** Lists of items without an `id` need `idOf`. */
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
    ...getCacheOptions(call),
    initialPageParam: undefined as string | undefined,
    retryOnMount: wasSent,
    getNextPageParam: (page: Item[]) => (page.length < Number(query.limit) ? undefined : cursorAfter(page)),
    select: ({ pages }) => pages.flat(),
  })
  const items = list.data ?? []
  return {
    ...list,
    nextCursor: list.hasNextPage ? cursorAfter(items) : undefined,
    /** Whether there is more than one page. */
    isLong: query.cursor !== undefined || items.length > Number(query.limit),
  }
}

/** Refreshes the subjects that a call changes. */
export const refreshAfter = (cache: QueryClient, { changes = [] }: Call) => refresh(cache, changes)

/** Marks cached data about these subjects as stale, and refetches the part that is on screen. */
export async function refresh(cache: QueryClient, subjects: readonly Subject[]): Promise<void> {
  const isAbout = ({ meta }: Query) => meta?.about?.some((subject) => subjects.includes(subject)) ?? false
  // A first load in progress may return outdated data, and React Query would not repeat it. So it is cancelled.
  await cache.cancelQueries({ predicate: (query) => isAbout(query) && query.state.data === undefined })
  await cache.invalidateQueries({ predicate: isAbout })
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { about: readonly Subject[] | undefined }
  }
}
