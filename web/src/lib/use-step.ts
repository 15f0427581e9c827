import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useSend } from './calls.ts'
import { CallError } from './client.ts'
import { toast } from './toasts.ts'
import { useSessionEnded } from './use-session-ended.ts'

interface Options<C extends Call> {
  /** What the toast says did not work. */
  failed: string
  /** What it adds where the server gave no reason. */
  otherwise?: string
  /** What is read again, whether or not the step was taken: the other side may have been quicker. */
  touches: readonly Call[]
  onDone?: (reply: ReplyOf<C>) => void
}

/**
 * A step in what others move too. A refusal is said in the server's words. What there is to do after a step is done
 * before anything is read again: it may lead away from a screen that has just lost what it shows.
 */
export function useStep<C extends Call>(
  call: C,
  { failed, otherwise = 'Please try again.', touches, onDone }: Options<C>,
) {
  const send = useSend(call)
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()

  /** Gives whether it was taken. */
  async function take(input: InputOf<C>): Promise<boolean> {
    try {
      const reply = await send.mutateAsync(input)
      onDone?.(reply)
      return true
    } catch (error) {
      if (sessionEnded(error)) return false
      const said = error instanceof CallError ? error.userMessage : null
      toast({ title: failed, description: said ?? otherwise, variant: 'destructive' })
      return false
    } finally {
      await refresh(cache, touches)
    }
  }
  return { take, busy: send.isPending }
}
