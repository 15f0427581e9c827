import type { Photo } from '@sought/contract/photos'
import { writeStored } from '../../data/browser-storage.ts'

/** A message that the server has not confirmed. */
export interface UnsentMessage {
  /** An idempotency key: the server stores a message once, however often it is sent. */
  clientId: string
  /** The id of the sender. */
  me: string
  itemId: number
  otherId: string
  content: string
  photos: readonly Photo[]
  at: Date
}

/* One key per message, so that two tabs never overwrite each other's messages. */
const PREFIX = 'sought:unsent:'

/** All stored messages, the oldest first. */
export function loadUnsent(): UnsentMessage[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key): UnsentMessage => {
        const stored = JSON.parse(localStorage.getItem(key) ?? '')
        return { photos: [], ...stored, at: new Date(stored.at) }
      })
      .sort((one, other) => one.at.getTime() - other.at.getTime())
  } catch {
    return []
  }
}

export const storeUnsent = (message: UnsentMessage) => writeStored(PREFIX + message.clientId, message)

export const removeUnsent = (clientId: string) => writeStored(PREFIX + clientId, undefined)

/** Calls the listeners when another tab has sent or discarded a message, or cleared the storage. */
export function onUnsentRemoved(removed: (clientId: string) => void, cleared: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === null) cleared()
    else if (key.startsWith(PREFIX) && newValue === null) removed(key.slice(PREFIX.length))
  })
}
