import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { createQueryClient } from '../lib/query-client.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Toaster } from './layout/toaster.tsx'
import { Router } from './router.tsx'
import { Shell } from './shell.tsx'

export function App() {
  const [cache] = useState(createQueryClient)
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
