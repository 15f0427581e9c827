import { type Message, sendMessage } from '@sought/contract/messages'
import type { Photo } from '@sought/contract/photos'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { explainLimit } from '../../data/account-limits.ts'
import { refreshAfter } from '../../data/calls.ts'
import { CallError, send } from '../../data/client.ts'
import { toast, toastFailure } from '../../data/toasts.ts'
import { handleUnauthenticated } from '../../data/unauthenticated.ts'
import { withPushOffer } from '../../shared/notifications/push-offer.ts'
import type { Parties } from '../../shared/offers/parties.ts'
import {
  loadUnsent,
  onUnsentRemoved,
  removeUnsent,
  storeUnsent,
  type UnsentMessage,
} from './unsent-storage.ts'

/** A message that is shown before the server has confirmed it. */
export interface OutgoingMessage extends UnsentMessage {
  state: 'sending' | 'sent' | 'failed'
}

/*
 * Global, and stored in the browser until confirmed, so that failed messages survive leaving the screen, a reload
 * and signing in again. Messages that were being sent when the page closed are shown as failed. If the
 * server has received one, its copy has the same clientId.
 */
let outgoing: readonly OutgoingMessage[] = loadUnsent().map((message) => ({ ...message, state: 'failed' }))
onUnsentRemoved(removeOutgoing, () => setOutgoing([]))
const listeners = new Set<() => void>()
/** Sends one message at a time, so that they arrive in the order in which they were written. */
let queue = Promise.resolve()

function setOutgoing(messages: readonly OutgoingMessage[]) {
  outgoing = messages
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setState(clientId: string, state: OutgoingMessage['state']) {
  setOutgoing(outgoing.map((it) => (it.clientId === clientId ? { ...it, state } : it)))
}

function removeOutgoing(clientId: string) {
  const remaining = outgoing.filter((it) => it.clientId !== clientId)
  if (remaining.length < outgoing.length) setOutgoing(remaining)
}

function discard({ clientId }: UnsentMessage) {
  removeUnsent(clientId)
  removeOutgoing(clientId)
}

async function deliver(cache: QueryClient, message: OutgoingMessage): Promise<void> {
  const { clientId, content, photos, itemId: wantedItemId, otherId: receiverId } = message
  const photoIds = photos.map(({ id }) => id)
  setState(clientId, 'sending')
  try {
    await send(sendMessage, { body: { content, wantedItemId, receiverId, clientId, photoIds } })
  } catch (error) {
    setState(clientId, 'failed')
    if (handleUnauthenticated(cache, error)) return
    return void toastFailure('Error', explainFailure(error))
  }
  removeUnsent(clientId)
  setState(clientId, 'sent')
  toast(withPushOffer({ title: 'Message sent!' }))
  await refreshAfter(cache, sendMessage)
}

/** If a photo has expired or was sent before, every retry fails. */
function explainFailure(error: unknown): string {
  const isPhoto = error instanceof CallError && error.code === 'photo_not_available'
  return (isPhoto && error.userMessage) || explainLimit(error) || 'Failed to send message. Please try again.'
}

export interface Outbox {
  outgoing: readonly OutgoingMessage[]
  post: (content: string, photos: readonly Photo[]) => void
  retry: (message: OutgoingMessage) => void
  discard: (message: OutgoingMessage) => void
}

/** The outgoing messages of one conversation. Messages that the server has returned are removed. */
export function useOutbox({ me, item, other }: Parties, received: readonly Message[] | undefined): Outbox {
  const cache = useQueryClient()
  useEffect(() => {
    const receivedIds = new Set(received?.map(({ clientId }) => clientId))
    for (const message of outgoing) if (receivedIds.has(message.clientId)) discard(message)
  }, [received])
  const all = useSyncExternalStore(subscribe, () => outgoing)
  const enqueue = (message: OutgoingMessage) => {
    queue = queue.then(() => deliver(cache, message))
  }
  return {
    outgoing: all.filter((it) => it.me === me && it.itemId === item.id && it.otherId === other.id),
    post: (content, photos) => {
      const unsent = {
        clientId: crypto.randomUUID(),
        me,
        itemId: item.id,
        otherId: other.id,
        content,
        photos,
        at: new Date(),
      }
      storeUnsent(unsent)
      const message: OutgoingMessage = { ...unsent, state: 'sending' }
      setOutgoing([...outgoing, message])
      enqueue(message)
    },
    retry: (message) => {
      setState(message.clientId, 'sending')
      enqueue(message)
    },
    discard,
  }
}
