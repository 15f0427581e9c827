import { listConversations, listMessages, type Message, sendMessage } from '@sought/contract/messages'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { refresh } from '../../lib/calls.ts'
import { send } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { forgetUnsent, keepUnsent, readUnsent, type Unsent, whenForgotten } from './kept-unsent.ts'
import type { Parties } from './parties.ts'
import { signInAgain } from './sign-in-again.ts'

/** A message on its way, shown before the server has it. */
export interface Outgoing extends Unsent {
  state: 'sending' | 'sent' | 'failed'
}

/*
 * Kept outside the screen, and what the server has not confirmed in the browser too: a message that failed is still
 * there after a look at something else, a reload, or signing in again. What was on its way when the page was left
 * counts as failed. Should it have arrived all the same, its mark tells.
 */
let outgoing: readonly Outgoing[] = readUnsent().map((message) => ({ ...message, state: 'failed' }))
whenForgotten(drop)
const listeners = new Set<() => void>()
/** One at a time, so that messages arrive in the order in which they were written. */
let queue = Promise.resolve()

function set(next: readonly Outgoing[]) {
  outgoing = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function mark(clientId: string, state: Outgoing['state']) {
  set(outgoing.map((it) => (it.clientId === clientId ? { ...it, state } : it)))
}

function drop(clientId: string) {
  if (outgoing.some((it) => it.clientId === clientId)) set(outgoing.filter((it) => it.clientId !== clientId))
}

function discard({ clientId }: Unsent) {
  forgetUnsent(clientId)
  drop(clientId)
}

async function deliver(cache: QueryClient, message: Outgoing): Promise<void> {
  const { clientId, content, itemId: wantedItemId, otherId: receiverId } = message
  mark(clientId, 'sending')
  try {
    await send(sendMessage, { body: { content, wantedItemId, receiverId, clientId } })
  } catch (error) {
    mark(clientId, 'failed')
    if (signInAgain(error)) return
    return void toast({
      title: 'Error',
      description: 'Failed to send message. Please try again.',
      variant: 'destructive',
    })
  }
  forgetUnsent(clientId)
  mark(clientId, 'sent')
  toast({ title: 'Message sent!' })
  await refresh(cache, [listMessages, listConversations])
}

export interface Outbox {
  outgoing: readonly Outgoing[]
  post: (content: string) => void
  retry: (message: Outgoing) => void
  discard: (message: Outgoing) => void
}

/** What is on its way in one conversation, and the way to send more. What has arrived leaves it. */
export function useOutbox({ me, item, other }: Parties, arrived: readonly Message[] | undefined): Outbox {
  const cache = useQueryClient()
  useEffect(() => {
    const marks = new Set(arrived?.map(({ clientId }) => clientId))
    for (const message of outgoing) if (marks.has(message.clientId)) discard(message)
  }, [arrived])
  const all = useSyncExternalStore(subscribe, () => outgoing)
  const enqueue = (message: Outgoing) => {
    queue = queue.then(() => deliver(cache, message))
  }
  return {
    outgoing: all.filter((it) => it.me === me && it.itemId === item.id && it.otherId === other.id),
    post: (content) => {
      const unsent = {
        clientId: crypto.randomUUID(),
        me,
        itemId: item.id,
        otherId: other.id,
        content,
        at: new Date(),
      }
      keepUnsent(unsent)
      const message: Outgoing = { ...unsent, state: 'sending' }
      set([...outgoing, message])
      enqueue(message)
    },
    retry: (message) => {
      mark(message.clientId, 'sending')
      enqueue(message)
    },
    discard,
  }
}
