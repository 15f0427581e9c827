import { getCurrentUser, getIsAdmin } from '@sought/contract/accounts'
import { getDeliveryAddress } from '@sought/contract/addresses'
import type { Change } from '@sought/contract/events'
import { type FirstSteps, getFirstSteps } from '@sought/contract/first-steps'
import { announceTyping, getPresence } from '@sought/contract/messages'
import { getPhone } from '@sought/contract/phone'
import { getConfig, type Market } from '@sought/contract/platform'
import { listBlocks } from '@sought/contract/reports'
import { listSimilarWantedItems } from '@sought/contract/requests'
import { getDeskCounts } from '@sought/contract/support'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, waitFor } from '@testing-library/react'
import { expect, onTestFinished, vi } from 'vitest'
import { Toaster } from '../app/layout/toaster.tsx'
import { Router } from '../app/router.tsx'
import { Shell } from '../app/shell.tsx'
import WaitingDialogs from '../app/waiting-dialogs.tsx'
import { getQueryKey } from '../data/calls.ts'
import { createQueryClient } from '../data/query-client.ts'
import { type Answer, answer, createFakeServer, type FakeServer, refuse } from './fake-server.ts'
import { aConfig, aMarket, type TestUser } from './samples.ts'

/** The checklists of new accounts, dismissed. */
const noFirstSteps: FirstSteps = {
  hasPosted: true,
  hasMadeOffer: true,
  hasPayoutMethod: true,
  dismissed: ['buyer', 'seller'],
}

interface OpenOptions {
  /** The signed-in user. By default, nobody. */
  user?: TestUser
  /** Answers besides those for most screens, such as the user, the config and the desk's counts. */
  answers?: readonly Answer[]
  /** Settings of the market that differ from the usual ones. */
  market?: Partial<Market>
  /** With header, footer and live updates. */
  withShell?: boolean
}

/** The fake server and the page's cache, to refetch like a live update. */
type OpenedScreen = FakeServer & {
  cache: QueryClient
  /** Reports a change as a server event. Only with the shell. */
  announce: (about: Change['about']) => Promise<void>
}

/**
 * Opens a screen by its address against a fake server:
 *
 *     const server = openScreen('/notifications', { user: aUser(), answers: [answer(listNotifications, [])] })
 *     expect(await screen.findByText('No notifications yet')).toBeVisible()
 *
 * A request without an answer fails the test. Toasts stay open.
 */
export function openScreen(path: string, options: OpenOptions = {}): OpenedScreen {
  const { user, answers = [], market, withShell = false } = options
  const config = aConfig({ market: aMarket(market) })
  const server = createFakeServer(
    user ? answer(getCurrentUser, user) : refuse(getCurrentUser, 'signed_out'),
    answer(getConfig, config),
    answer(getIsAdmin, { isAdmin: false, role: null }),
    answer(getDeskCounts, { disputes: 0, tickets: 0 }),
    answer(getFirstSteps, noFirstSteps),
    answer(getPresence, { online: false, lastSeenAt: null }),
    answer(announceTyping, { ok: true }),
    answer(getDeliveryAddress, { deliveryAddress: null }),
    answer(listSimilarWantedItems, []),
    answer(listBlocks, []),
    answer(getPhone, { phone: null, isVerified: false, isAvailable: true }),
    ...answers,
  )
  vi.stubGlobal('fetch', server.fetch)
  const streams = stubEventSource()
  vi.stubGlobal('XMLHttpRequest', server.XMLHttpRequest)
  window.history.replaceState(null, '', path)
  const cache = createQueryClient()
  // The app shows no screen before the signed-in user is known.
  cache.setQueryData(getQueryKey(getCurrentUser), user ?? null)
  // Real pages contain the settings, so screens do not wait for them.
  if (!answers.some(({ call }) => call === getConfig)) cache.setQueryData(getQueryKey(getConfig), config)
  render(
    <QueryClientProvider client={cache}>
      {withShell ? (
        <Shell>
          <Router />
        </Shell>
      ) : (
        <Router />
      )}
      <WaitingDialogs />
      <Toaster durationMs={Number.POSITIVE_INFINITY} />
    </QueryClientProvider>,
  )
  onTestFinished(() => {
    if (server.unanswered.length > 0) throw new Error(`No answer for ${server.unanswered.join(', ')}`)
  })
  const announce = async (about: Change['about']) => {
    // The code for live updates is loaded after the shell.
    await waitFor(() => expect(streams).not.toEqual([]))
    act(() => {
      for (const stream of streams) stream.onmessage?.({ data: JSON.stringify({ about }) })
    })
  }
  return Object.assign(server, { cache, announce })
}

interface OpenStream {
  onmessage: ((event: { data: string }) => void) | null
}

/** Replaces the browser's event streams, and returns the open ones. */
function stubEventSource(): OpenStream[] {
  const streams: OpenStream[] = []
  class FakeEventSource implements OpenStream {
    onmessage = null
    constructor() {
      streams.push(this)
    }
    close() {
      streams.splice(streams.indexOf(this), 1)
    }
  }
  vi.stubGlobal('EventSource', FakeEventSource)
  return streams
}
