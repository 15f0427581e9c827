import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getQueryKey, refreshAfter } from '../../../data/calls.ts'
import { send } from '../../../data/client.ts'
import { toast } from '../../../data/toasts.ts'
import { isUnauthenticated } from '../../../data/unauthenticated.ts'

/**
 * Shows a change of settings immediately. Each request contains all of them, and they are sent one after the other, so
 * that the last change wins.
 */
export function useChangeSettings<Read extends Call, Update extends Call>(
  read: Read,
  update: Update,
  inputOf: (settings: ReplyOf<Read>) => InputOf<Update>,
) {
  const cache = useQueryClient()
  const key = getQueryKey(read)
  const { mutate } = useMutation({
    mutationFn: (settings: ReplyOf<Read>) => send(update, inputOf(settings)),
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

export const showNotSaved = () =>
  toast({
    title: 'Error',
    description: 'Your change was not saved. Please try again.',
    variant: 'destructive',
  })

/** The topics that are switched off, after a change of one. */
export const switchOff = <Topic>(off: readonly Topic[], topic: Topic, isOff: boolean): Topic[] => {
  const others = off.filter((it) => it !== topic)
  return isOff ? [...others, topic] : others
}
