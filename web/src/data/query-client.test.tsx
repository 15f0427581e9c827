import { getCurrentUser } from '@sought/contract/accounts'
import { listConversations } from '@sought/contract/messages'
import { rejectOffer } from '@sought/contract/offers'
import { getConfig } from '@sought/contract/platform'
import { listBlocks } from '@sought/contract/reports'
import { focusManager, onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useConversations } from '../shared/messages/conversations.ts'
import { answer, createFakeServer, refuse } from '../testing/fake-server.ts'
import { aConfig, aUser } from '../testing/samples.ts'
import { useRead } from './calls.ts'
import { createQueryClient } from './query-client.ts'
import { useSession } from './session.ts'
import { useAction } from './use-action.ts'

const MINUTE_MS = 60_000

function openTab(...answers: Parameters<typeof createFakeServer>) {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const server = createFakeServer(...answers)
  vi.stubGlobal('fetch', server.fetch)
  const cache = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={cache}>{children}</QueryClientProvider>
  )
  const openScreen = <Result,>(useScreen: () => Result) => renderHook(useScreen, { wrapper }).result
  /** Waits for the requests of the screens. */
  const settle = () => act(() => vi.waitFor(() => expect(cache.isFetching()).toBe(0)))
  return { server, openScreen, settle }
}

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE_MS)

test.each([
  {
    what: 'the user',
    minutes: 5,
    call: getCurrentUser,
    reply: answer(getCurrentUser, aUser()),
    use: useSession,
  },
  {
    what: 'the list of conversations',
    minutes: 0.5,
    call: listConversations,
    reply: answer(listConversations, []),
    use: useConversations,
  },
])(
  '$what is refetched when a screen opens, but at the earliest after $minutes minutes',
  async ({ minutes, call, reply, use }) => {
    const { server, openScreen, settle } = openTab(reply)
    openScreen<unknown>(use)
    await settle()
    passMinutes(minutes - 0.1)
    openScreen<unknown>(use)
    await settle()
    expect(server.requestsTo(call)).toHaveLength(1)
    passMinutes(0.1)
    openScreen<unknown>(use)
    await waitFor(() => expect(server.requestsTo(call)).toHaveLength(2))
  },
)

test('data with the freshness “on open” is refetched whenever a screen opens', async () => {
  const { server, openScreen, settle } = openTab(answer(listBlocks, []))
  for (const visit of [1, 2]) {
    openScreen(() => useRead(listBlocks))
    await settle()
    expect(server.requestsTo(listBlocks)).toHaveLength(visit)
  }
})

test('other data is never refetched automatically: not after a day, not on focus, not on reconnect', async () => {
  const { server, openScreen, settle } = openTab(answer(getConfig, aConfig()))
  openScreen(() => useRead(getConfig))
  await settle()
  passMinutes(24 * 60)
  openScreen(() => useRead(getConfig))
  onTestFinished(() => focusManager.setFocused(undefined))
  act(() => {
    for (const present of [false, true]) {
      focusManager.setFocused(present)
      onlineManager.setOnline(present)
    }
  })
  await settle()
  expect(server.requestsTo(getConfig)).toHaveLength(1)
})

test('a failed read or action is not retried', async () => {
  const { server, openScreen } = openTab(refuse(getConfig, 'internal'), refuse(rejectOffer, 'internal'))
  const read = openScreen(() => useRead(getConfig))
  await waitFor(() => expect(read.current.isError).toBe(true))
  const action = openScreen(() => useAction(rejectOffer, { failure: 'Failed to reject offer.' }))
  expect(await act(() => action.current.run({ params: { id: '7' } }))).toBe(false)
  expect(server.requestsTo(getConfig)).toHaveLength(1)
  expect(server.requestsTo(rejectOffer)).toHaveLength(1)
})
