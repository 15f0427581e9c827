import { useSyncExternalStore } from 'react'

/* The people who are typing to the user. The server announces it every few seconds and stores nothing. */

/** A little longer than the interval between two announcements. */
const SHOWN_MS = 6_000

interface Typist {
  userId: string
  wantedItemId: number
}

const keyOf = ({ userId, wantedItemId }: Typist) => `${wantedItemId} ${userId}`
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

function changed(): void {
  for (const listener of listeners) listener()
}

export function showTyping(typist: Typist): void {
  clearTimeout(timers.get(keyOf(typist)))
  timers.set(
    keyOf(typist),
    setTimeout(() => hideTyping(typist), SHOWN_MS),
  )
  changed()
}

export function hideTyping(typist: Typist): void {
  clearTimeout(timers.get(keyOf(typist)))
  if (timers.delete(keyOf(typist))) changed()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useIsTyping(typist: Typist): boolean {
  return useSyncExternalStore(subscribe, () => timers.has(keyOf(typist)))
}
