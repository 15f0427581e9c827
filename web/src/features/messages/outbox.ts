import { listConversations, listMessages, type Message, sendMessage } from '@sought/contract/messages'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { refresh } from '../../lib/calls.ts'
import { send } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { keepDraft } from './draft.ts'
import type { Parties } from './parties.ts'
import { signInAgain } from './sign-in-again.ts'

/** A message on its way, shown before the server has it. */
export interface Outgoing {
  /** Made once for each message: however often it is sent under this mark, it arrives once. */
  clientId: string
  parties: Parties
  content: string
  at: Date
  state: 'sending' | 'sent' | 'failed'
}

/* Kept outside the screen: a message that failed is still there after a look at something else. */
let outgoing: readonly Outgoing[] = []
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

function discard(clientId: string) {
  set(outgoing.filter((it) => it.clientId !== clientId))
}

async function deliver(cache: QueryClient, { clientId, parties, content }: Outgoing): Promise<void> {
  mark(clientId, 'sending')
  try {
    const body = { content, wantedItemId: parties.item.id, receiverId: parties.other.id, clientId }
    await send(sendMessage, { body })
  } catch (error) {
    mark(clientId, 'failed')
    if (signInAgain(error)) return keepDraft(parties, content)
    return void toast({
      title: 'Error',
      description: 'Failed to send message. Please try again.',
      variant: 'destructive',
    })
  }
  mark(clientId, 'sent')
  // Briefly: it stands over the place where the next message is written.
  toast({ title: 'Message sent!', durationMs: 2000 })
  await refresh(cache, [listMessages, listConversations])
}

export interface Outbox {
  outgoing: readonly Outgoing[]
  post: (content: string) => void
  retry: (message: Outgoing) => void
  discard: (message: Outgoing) => void
}

/** What is on its way in one conversation, and the way to send more. What has arrived leaves it. */
export function useOutbox(parties: Parties, arrived: readonly Message[] | undefined): Outbox {
  const cache = useQueryClient()
  useEffect(() => {
    const marks = new Set(arrived?.map(({ clientId }) => clientId))
    if (outgoing.some(({ clientId }) => marks.has(clientId)))
      set(outgoing.filter(({ clientId }) => !marks.has(clientId)))
  }, [arrived])
  const all = useSyncExternalStore(subscribe, () => outgoing)
  const enqueue = (message: Outgoing) => {
    queue = queue.then(() => deliver(cache, message))
  }
  return {
    outgoing: all.filter((it) => isSame(it.parties, parties)),
    post: (content) => {
      const clientId = crypto.randomUUID()
      const message: Outgoing = { clientId, parties, content, at: new Date(), state: 'sending' }
      set([...outgoing, message])
      enqueue(message)
    },
    retry: (message) => {
      mark(message.clientId, 'sending')
      enqueue(message)
    },
    discard: (message) => discard(message.clientId),
  }
}

function isSame(one: Parties, two: Parties): boolean {
  return one.me === two.me && one.item.id === two.item.id && one.other.id === two.other.id
}
