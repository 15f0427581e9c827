import type { Call, InputOf } from '@sought/contract/call'
import { listConversations } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refresh } from '../../lib/calls.ts'
import { CallError, send } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { signInAgain } from './sign-in-again.ts'

interface Words {
  done: { title: string; description?: string }
  failed: string
}

interface Step<C extends Call> {
  input: InputOf<C>
  onDone?: (() => void) | undefined
}

/**
 * Sends one step of an offer, and says how it went. The words hang on the mutation itself: the button
 * that was pressed is often gone by the time they are due.
 */
export function useOfferStep<C extends Call>(call: C, words: Words) {
  const cache = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ input }: Step<C>) => send(call, input),
    onSuccess: (_reply, { onDone }) => {
      toast(words.done)
      onDone?.()
    },
    onError: (error) => {
      if (signInAgain(error)) return
      // A refusal says why in its own words; trying again would not help then.
      const why = error instanceof CallError ? error.userMessage : null
      toast({ title: why ?? 'Error', description: words.failed, variant: 'destructive' })
    },
    // After a failure too: the other side may have been quicker, and this shows how it stands.
    onSettled: () => refresh(cache, [listOffers, listConversations]),
  })
  return { take: (step: Step<C>) => mutate(step), busy: isPending }
}
