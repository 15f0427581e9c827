import { getCurrentUser, getIsAdmin } from '@sought/contract/accounts'
import { getConfig } from '@sought/contract/platform'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { onTestFinished, vi } from 'vitest'
import { Toaster } from '../app/layout/toaster.tsx'
import { Router } from '../app/router.tsx'
import { getQueryKey } from '../lib/calls.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { type Answer, answer, createFakeServer, type FakeServer, refuse } from './fake-server.ts'
import type { TestUser } from './samples.ts'

interface OpenOptions {
  /** The signed-in user. The default is nobody. */
  user?: TestUser
  /** Answers of the server beyond the current user, the config and the admin check. */
  answers?: readonly Answer[]
}

/** The fake server, and the page's cache, to refetch as a live update does. */
type OpenedScreen = FakeServer & { cache: QueryClient }

/**
 * Opens a screen by its address, without header and footer, against a fake server:
 *
 *     const server = openScreen('/notifications', { user: aUser(), answers: [answer(listNotifications, [])] })
 *     expect(await screen.findByText('No notifications yet')).toBeVisible()
 *
 * A request without an answer fails the test.
 */
export function openScreen(path: string, { user, answers = [] }: OpenOptions = {}): OpenedScreen {
  const server = createFakeServer(
    user ? answer(getCurrentUser, user) : refuse(getCurrentUser, 'signed_out'),
    answer(getConfig, { currency: 'usd', provider: 'sandbox', publishableKey: null, googleSignIn: false }),
    answer(getIsAdmin, { isAdmin: false }),
    ...answers,
  )
  vi.stubGlobal('fetch', server.fetch)
  window.history.replaceState(null, '', path)
  const cache = createQueryClient()
  // The app shows a screen only when it knows who is signed in.
  cache.setQueryData(getQueryKey(getCurrentUser), user ?? null)
  render(
    <QueryClientProvider client={cache}>
      <Router />
      <Toaster />
    </QueryClientProvider>,
  )
  onTestFinished(() => {
    if (server.unanswered.length > 0) throw new Error(`No answer for ${server.unanswered.join(', ')}`)
  })
  return Object.assign(server, { cache })
}
