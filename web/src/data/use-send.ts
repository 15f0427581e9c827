import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAfter } from './calls.ts'
import { type CallError, send } from './client.ts'
import { applyChanges, type OptimisticChanges } from './optimistic-changes.ts'

interface SendOptions<C extends Call> {
  optimistic?: OptimisticChanges<InputOf<C>>
}

/** Makes a call that changes data, then refreshes the subjects it changes. For calls with a toast, see useAction. */
export function useSend<C extends Call>(call: C, { optimistic }: SendOptions<C> = {}) {
  const cache = useQueryClient()
  return useMutation<ReplyOf<C>, CallError, InputOf<C>, (() => void) | undefined>({
    mutationFn: (input) => send(call, input),
    onMutate: (input) => optimistic && applyChanges(cache, optimistic(input)),
    onSuccess: () => refreshAfter(cache, call),
    onError: (_error, _input, undo) => {
      if (!undo) return
      undo()
      void refreshAfter(cache, call)
    },
  })
}
