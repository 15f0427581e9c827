import type { Call, ReplyOf } from '@sought/contract/call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getQueryKey, refreshAfter } from '../../../data/calls.ts'
import { toastFailure } from '../../../data/toasts.ts'
import { isUnauthenticated } from '../../../data/unauthenticated.ts'

export const showNotSaved = () => toastFailure('Error', 'Your change was not saved. Please try again.')

/**
 * Shows a change immediately. Each request contains all settings, and they are sent one after the other, so that
 * the last change wins.
 */
export function useChangeSettings<Read extends Call>(
  read: Read,
  update: Call,
  save: (settings: ReplyOf<Read>) => Promise<unknown>,
) {
  const cache = useQueryClient()
  const key = getQueryKey(read)
  const { mutate } = useMutation({
    mutationFn: save,
    scope: { id: update.path },
    onError: (error) => {
      if (isUnauthenticated(error)) return
      void refreshAfter(cache, update)
      showNotSaved()
    },
  })
  return (change: (current: ReplyOf<Read>) => ReplyOf<Read>) => {
    const current = cache.getQueryData<ReplyOf<Read>>(key)
    if (current === undefined) return
    const settings = change(current)
    cache.setQueryData(key, settings)
    mutate(settings)
  }
}

/** The names of all switches that are off, after a change of one switch. */
export const switchIn = <Name>(off: readonly Name[], name: Name, isOn: boolean): Name[] => {
  const others = off.filter((it) => it !== name)
  return isOn ? others : [...others, name]
}
