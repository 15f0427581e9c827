import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import {
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { type CallError, send } from './client.ts'

/** A call's place in the cache: its path, then what it was asked with. */
export function queryKeyOf<C extends Call>(call: C, input?: InputOf<C>): readonly unknown[] {
  return input === undefined ? [call.path] : [call.path, input]
}

/** A call that asks for nothing is read without an input. */
type Asked<C extends Call> = keyof InputOf<C> extends never
  ? [input?: undefined, options?: ReadOptions<C>]
  : [input: InputOf<C>, options?: ReadOptions<C>]

interface ReadOptions<C extends Call> {
  enabled?: boolean
  /** How long an answer is taken as current; for ever unless said. */
  staleMs?: number
  /** Asks again after this long, as long as the answer is one that will change; never unless said. */
  pollMs?: (answer: ReplyOf<C> | undefined) => number | false
}

/** Reads a call: what it answers, kept under its key. */
export function useRead<C extends Call>(
  call: C,
  ...[input, options = {}]: Asked<C>
): UseQueryResult<ReplyOf<C>, CallError> {
  return useQuery({
    queryKey: queryKeyOf(call, input),
    queryFn: ({ signal }) => send(call, input ?? ({} as InputOf<C>), signal),
    enabled: options.enabled ?? true,
    staleTime: options.staleMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => options.pollMs?.(state.data) ?? false,
  })
}

interface PagesOptions<Item> {
  staleMs?: number
  /** What stands in the path of the call. */
  params?: Record<string, string>
  /** Where the id of an item stands, by which the list goes on. */
  idOf?: (item: Item) => number
}

/** An item whose id is not its own `id` needs to be told where it is. */
type Paged<Item> = Item extends { id: number }
  ? [options?: PagesOptions<Item>]
  : [options: PagesOptions<Item> & Required<Pick<PagesOptions<Item>, 'idOf'>>]

const ownId = (item: unknown) => (item as { id: number }).id

/** Reads a list page by page: each goes on after the last item of the one before. */
export function useReadPages<C extends Call, Item>(
  call: C & { reply: z.ZodMiniArray<z.ZodMiniType<Item>> },
  query: Record<string, string | undefined> & { limit: string },
  ...[options = {}]: Paged<Item>
) {
  const { idOf = ownId, params }: PagesOptions<Item> = options
  return useInfiniteQuery({
    queryKey: queryKeyOf(call, { params, query, pages: true } as never),
    queryFn: async ({ pageParam: cursor, signal }): Promise<Item[]> =>
      send<Call>(call, { params, query: { ...query, cursor } } as never, signal) as Promise<never>,
    staleTime: options.staleMs ?? Number.POSITIVE_INFINITY,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: Item[]) => {
      const last = page.at(-1)
      return last === undefined || page.length < Number(query.limit) ? undefined : String(idOf(last))
    },
    select: ({ pages }) => pages.flat(),
  })
}

/** Sends a call that changes something, then has the lists that it touches read again. */
export function useSend<C extends Call>(
  call: C,
  options: { refreshes?: readonly Call[] } = {},
): UseMutationResult<ReplyOf<C>, CallError, InputOf<C>> {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<C>) => send(call, input),
    onSuccess: () => refresh(cache, options.refreshes ?? []),
  })
}

/** Has every answer of these calls read again, whatever they were asked with. */
export async function refresh(cache: QueryClient, calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map((call) => cache.invalidateQueries({ queryKey: queryKeyOf(call) })))
}
