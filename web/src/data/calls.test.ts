import { listOffers } from '@sought/contract/offers'
import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { getQueryKey, refresh } from './calls.ts'
import { createQueryClient } from './query-client.ts'

test('a refresh during the first load loads again, so that a change meanwhile is not missed', async () => {
  const cache = createQueryClient()
  const { promise: stale, resolve: answerStale } = Promise.withResolvers<string>()
  const load = vi.fn<() => Promise<string>>().mockReturnValueOnce(stale).mockResolvedValue('after the change')
  const observer = new QueryObserver(cache, { queryKey: getQueryKey(listOffers), queryFn: load })
  observer.subscribe(() => {})
  await refresh(cache, [listOffers])
  answerStale('before the change')
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('after the change'))
  expect(load).toHaveBeenCalledTimes(2)
})
