import { getCurrentUser } from '@sought/contract/accounts'
import type { Call } from '@sought/contract/call'
import { listOffers, rejectOffer } from '@sought/contract/offers'
import { listOwnRequests } from '@sought/contract/own-requests'
import { getConfig } from '@sought/contract/platform'
import { refusals } from '@sought/contract/refusals'
import { listBlocks } from '@sought/contract/reports'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Answer, answerLater, createFakeServer, neverAnswer, refuse } from '../testing/fake-server.ts'
import { anOffer, aUser } from '../testing/samples.ts'
import { getCacheOptions, getQueryKey } from './calls.ts'
import { changeItems } from './optimistic-changes.ts'
import { createQueryClient } from './query-client.ts'
import { currentToasts } from './toasts.ts'
import { useAction } from './use-action.ts'

const input = { params: { id: '7' } }
const accepted: Answer = { call: rejectOffer, respond: () => Response.json({}) }

let cache: QueryClient
beforeEach(() => {
  cache = createQueryClient()
})

function renderAction(
  reply: Answer,
  options: Partial<Parameters<typeof useAction<typeof rejectOffer>>[1]> = {},
) {
  const server = createFakeServer(reply)
  vi.stubGlobal('fetch', server.fetch)
  const rendered = renderHook(
    () => useAction(rejectOffer, { failure: 'Failed to reject offer. Please try again.', ...options }),
    { wrapper: ({ children }) => <QueryClientProvider client={cache}>{children}</QueryClientProvider> },
  )
  const run = () => act(() => rendered.result.current.run(input))
  return { ...rendered, run, server }
}

/** Caches a reply, and returns whether it has become stale. */
function cacheReply(call: Call): () => boolean | undefined {
  const queryKey = getQueryKey(call)
  cache
    .getQueryCache()
    .build(cache, { queryKey, ...getCacheOptions(call) })
    .setData(null)
  return () => cache.getQueryState(queryKey)?.isInvalidated
}

const shownToast = () => currentToasts().find(({ open }) => open)

test('success shows its toast, runs onDone, then refreshes', async () => {
  const steps: string[] = []
  vi.spyOn(cache, 'invalidateQueries').mockImplementation(async () => void steps.push('refresh'))
  const { run } = renderAction(accepted, {
    success: { title: 'Offer Rejected' },
    onDone: () => steps.push('done'),
  })
  expect(await run()).toBe(true)
  expect(shownToast()).toMatchObject({ title: 'Offer Rejected' })
  expect(steps).toEqual(['done', 'refresh'])
})

test('suspended and restricted users see the reason, even if the screen has its own failure text', async () => {
  const isStale = cacheReply(getCurrentUser)
  const { run } = renderAction(refuse(rejectOffer, 'suspended'))
  expect(await run()).toBe(false)
  expect(shownToast()?.description).toMatch(/^Your account is suspended/)
  expect(isStale()).toBe(true)
})

test('an open tab shows that the market is closed once a call was refused for that reason', async () => {
  for (const code of ['read_only', 'maintenance'] as const) {
    const isStale = cacheReply(getConfig)
    const { run } = renderAction(refuse(rejectOffer, code))
    expect(await run()).toBe(false)
    expect(isStale()).toBe(true)
    expect(shownToast()).toMatchObject({ title: 'Not possible', description: refusals[code].message })
  }
})

test('a failure shows a destructive toast and refreshes what the call changes', async () => {
  const areStale = [listOffers, listOwnRequests, listBlocks].map(cacheReply)
  const onDone = vi.fn()
  const { run } = renderAction(refuse(rejectOffer, 'offer_not_pending'), { onDone })
  expect(await run()).toBe(false)
  expect(shownToast()).toMatchObject({
    title: 'Error',
    description: 'Failed to reject offer. Please try again.',
    variant: 'destructive',
  })
  expect(onDone).not.toHaveBeenCalled()
  expect(areStale.map((isStale) => isStale())).toEqual([true, true, false])
})

test('a failure function can use the server’s message', async () => {
  const reply = refuse(rejectOffer, 'offer_not_pending')
  await renderAction(reply, { failure: ({ userMessage }) => ({ title: userMessage ?? '' }) }).run()
  expect(shownToast()).toMatchObject({ title: 'This offer has already been answered.' })
})

test('a failure function that returns null leaves the error to the screen', async () => {
  const { run, result } = renderAction(refuse(rejectOffer, 'offer_not_pending'), { failure: () => null })
  await run()
  await waitFor(() => expect(result.current.error?.code).toBe('offer_not_pending'))
  expect(shownToast()).toBeUndefined()
})

test('if the session has ended, the user counts as signed out, and no failure toast is shown', async () => {
  cache.setQueryData(getQueryKey(getCurrentUser), aUser())
  const onSignedOut = vi.fn()
  const { run } = renderAction(refuse(rejectOffer, 'signed_out'), { onSignedOut })
  expect(await run()).toBe(false)
  expect(cache.getQueryData(getQueryKey(getCurrentUser))).toBeNull()
  expect(onSignedOut).toHaveBeenCalledOnce()
  expect(shownToast()).toBeUndefined()
})

test('a wrong password does not count as an ended session', async () => {
  cache.setQueryData(getQueryKey(getCurrentUser), aUser())
  await renderAction(refuse(rejectOffer, 'wrong_credentials')).run()
  expect(cache.getQueryData(getQueryKey(getCurrentUser))).not.toBeNull()
  expect(shownToast()).toMatchObject({ title: 'Error' })
})

test('a second press while the first is pending sends nothing', async () => {
  const { result, server } = renderAction(neverAnswer(rejectOffer))
  await act(async () => {
    void result.current.run(input)
    expect(await result.current.run(input)).toBe(false)
  })
  expect(server.requestsTo(rejectOffer)).toEqual([input])
  await waitFor(() => expect(result.current.isPending).toBe(true))
})

test('after the component is removed, the toast still appears, but onDone does not run', async () => {
  const onDone = vi.fn()
  let respond = (_response: Response) => {}
  const reply = new Promise<Response>((resolve) => {
    respond = resolve
  })
  const { result, unmount } = renderAction(
    { call: rejectOffer, respond: () => reply },
    { success: { title: 'Offer Rejected' }, onDone },
  )
  const running = result.current.run(input)
  unmount()
  respond(Response.json({}))
  expect(await running).toBe(true)
  expect(shownToast()).toMatchObject({ title: 'Offer Rejected' })
  expect(onDone).not.toHaveBeenCalled()
})

test('a failed action can be tried again immediately, while the data is still refreshing', async () => {
  vi.spyOn(cache, 'invalidateQueries').mockImplementation(() => new Promise(() => {}))
  const { result, server } = renderAction(refuse(rejectOffer, 'unavailable'))
  act(() => void result.current.run(input))
  await waitFor(() => expect(shownToast()).toBeDefined())
  await waitFor(() => expect(result.current.isPending).toBe(false))
  act(() => void result.current.run(input))
  await waitFor(() => expect(server.requestsTo(rejectOffer)).toHaveLength(2))
})

const cachedOffers = () => ({
  listed: cache.getQueryData(getQueryKey(listOffers, { query: {} })),
  paged: cache.getQueryData([...getQueryKey(listOffers), 'pages']),
})

test('an optimistic change is shown before the answer, and undone by a refusal', async () => {
  const pending = [anOffer({ id: 7 }), anOffer({ id: 8 })]
  const rejected = [anOffer({ id: 7, status: 'rejected' }), anOffer({ id: 8 })]
  const before = { listed: pending, paged: { pages: [[], pending], pageParams: [] } }
  cache.setQueryData(getQueryKey(listOffers, { query: {} }), before.listed)
  cache.setQueryData([...getQueryKey(listOffers), 'pages'], before.paged)
  const refusal = answerLater(refuse(rejectOffer, 'offer_not_pending'))
  const { result } = renderAction(refusal, {
    optimistic: ({ params }) => [
      changeItems(listOffers, ({ id }) => String(id) === params.id, { status: 'rejected' }),
    ],
  })
  const running = result.current.run(input)
  await waitFor(() =>
    expect(cachedOffers()).toEqual({
      ...before,
      listed: rejected,
      paged: { pages: [[], rejected], pageParams: [] },
    }),
  )
  expect(shownToast()).toBeUndefined()
  const loadedMeanwhile = [anOffer({ id: 9 })]
  cache.setQueryData(getQueryKey(listOffers, { query: {} }), loadedMeanwhile)
  refusal.release()
  expect(await running).toBe(false)
  expect(cachedOffers()).toEqual({ ...before, listed: loadedMeanwhile })
  expect(shownToast()).toMatchObject({ title: 'Error' })
})

test('a refresh in progress does not overwrite an optimistic change', async () => {
  const queryKey = getQueryKey(listOffers, { query: {} })
  cache.setQueryData(queryKey, [anOffer({ id: 7 })])
  const { promise: stale, resolve } = Promise.withResolvers<unknown>()
  void cache.fetchQuery({ queryKey, queryFn: () => stale, staleTime: 0 }).catch(() => {})
  const { result } = renderAction(neverAnswer(rejectOffer), {
    optimistic: () => [changeItems(listOffers, ({ id }) => id === 7, { status: 'rejected' })],
  })
  void result.current.run(input)
  await waitFor(() => expect(cache.getQueryData(queryKey)).toMatchObject([{ status: 'rejected' }]))
  resolve([anOffer({ id: 7 })])
  await stale
  expect(cache.getQueryData(queryKey)).toMatchObject([{ status: 'rejected' }])
})
