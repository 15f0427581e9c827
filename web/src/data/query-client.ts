import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { refresh } from './calls.ts'
import { CallError } from './client.ts'
import { handleUnauthenticated } from './unauthenticated.ts'

/**
 * In the browser, longer than users read a page before they return to a list. On the server, data is never removed,
 * because the timer for it would keep the whole cache in memory.
 */
const KEPT_MS = import.meta.env.SSR ? Number.POSITIVE_INFINITY : 30 * 60_000

/** Data never becomes stale by itself, and nothing is retried. Mutations and server events refresh it. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    void handleUnauthenticated(client, error)
    if (isClosed(error)) void refresh(client, ['market'])
  }
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

/** A call was refused because the market's mode has changed since this tab was opened. */
const isClosed = (error: unknown) =>
  error instanceof CallError && (error.code === 'read_only' || error.code === 'maintenance')
