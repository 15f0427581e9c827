import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { handleUnauthenticated } from './unauthenticated.ts'

/** Longer than people read a page before they go back to a list. On the server a timer would keep every cache alive. */
const KEPT_MS = import.meta.env.SSR ? Number.POSITIVE_INFINITY : 30 * 60_000

/** Data never becomes stale by itself and nothing is retried (spec §7): mutations and server events refresh it. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => void handleUnauthenticated(client, error)
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEPT_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  })
  return client
}
