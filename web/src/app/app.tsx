import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { Toaster } from './layout/toaster.tsx'
import { Router } from './router.tsx'
import { Shell } from './shell.tsx'

/** Data never becomes stale by itself and nothing is tried twice (spec §7); events and mutations refresh it. */
function createCache(): QueryClient {
  return new QueryClient({
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
}

export function App() {
  const [cache] = useState(createCache)
  return (
    <QueryClientProvider client={cache}>
      <Shell>
        <ErrorBoundary>
          <Router />
        </ErrorBoundary>
      </Shell>
      <Toaster />
    </QueryClientProvider>
  )
}
