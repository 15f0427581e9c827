import { listOffers } from '@sought/contract/offers'
import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { getCacheOptions, getQueryKey, refresh } from './calls.ts'
import { createQueryClient } from './query-client.ts'

test('a refresh during the first load restarts it, so that a concurrent change is not missed', async () => {
  const cache = createQueryClient()
  const { promise: stale, resolve: answerStale } = Promise.withResolvers<string>()
  const load = vi.fn<() => Promise<string>>().mockReturnValueOnce(stale).mockResolvedValue('after the change')
  const options = { queryKey: getQueryKey(listOffers), ...getCacheOptions(listOffers) }
  const observer = new QueryObserver(cache, { ...options, queryFn: load })
  observer.subscribe(() => {})
  await refresh(cache, ['offers'])
  answerStale('before the change')
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after the change'))
  expect(load).toHaveBeenCalledTimes(2)
})
