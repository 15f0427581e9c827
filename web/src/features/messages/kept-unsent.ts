/** A message that the server has not confirmed. */
export interface Unsent {
  /** Made once for each message: however often it is sent under this mark, it arrives once. */
  clientId: string
  /** The id of whoever wrote it, the request it is about, and the id of whom it is for. */
  me: string
  itemId: number
  otherId: string
  content: string
  at: Date
}

/* Each under a key of its own, so that two tabs never write over each other's. */
const PREFIX = 'sought:unsent:'

/** All that is kept, the oldest first. */
export function readUnsent(): Unsent[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key): Unsent => {
        const kept = JSON.parse(localStorage.getItem(key) ?? '')
        return { ...kept, at: new Date(kept.at) }
      })
      .sort((one, other) => one.at.getTime() - other.at.getTime())
  } catch {
    return []
  }
}

export function keepUnsent(message: Unsent): void {
  try {
    localStorage.setItem(PREFIX + message.clientId, JSON.stringify(message))
  } catch {
    // A browser that is full or keeps nothing: sending works all the same.
  }
}

export function forgetUnsent(clientId: string): void {
  try {
    localStorage.removeItem(PREFIX + clientId)
  } catch {
    // What could not be kept need not be forgotten.
  }
}

/** Hears of a message that was sent or discarded in another tab. */
export function whenForgotten(listener: (clientId: string) => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue === null) listener(key.slice(PREFIX.length))
  })
}
