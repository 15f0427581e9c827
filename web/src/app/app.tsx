import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Toaster } from './layout/toaster.tsx'
import { Router } from './router.tsx'
import { ScreenErrorBoundary } from './screen-error-boundary.tsx'
import { Shell } from './shell.tsx'

export function App({ cache }: { cache: QueryClient }) {
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
