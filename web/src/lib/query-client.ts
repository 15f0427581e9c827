import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { handleUnauthenticated } from './unauthenticated.ts'

const KEPT_MS = 30 * 60_000

/** Data never becomes stale by itself and nothing is retried (spec §7): mutations and server events refresh it. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => void handleUnauthenticated(client, error)
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        // Longer than people read a page before they go back to a list.
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
