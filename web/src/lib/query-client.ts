import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { handleUnauthenticated } from './unauthenticated.ts'

/** Data never becomes stale by itself and nothing is retried (spec §7): mutations and server events refresh it. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => void handleUnauthenticated(client, error)
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { retry: false },
    },
  })
  return client
}
