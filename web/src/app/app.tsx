import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { readPageData } from '../lib/page-data.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { Toaster } from './layout/toaster.tsx'
import { Router } from './router.tsx'
import { ScreenErrorBoundary } from './screen-error-boundary.tsx'
import { Shell } from './shell.tsx'

export function App() {
  const [cache] = useState(createFilledCache)
  return (
    <QueryClientProvider client={cache}>
      <Shell>
        <ScreenErrorBoundary>
          <Router />
        </ScreenErrorBoundary>
      </Shell>
      <Toaster />
    </QueryClientProvider>
  )
}

function createFilledCache() {
  const cache = createQueryClient()
  readPageData(cache)
  return cache
}
