import { useSyncExternalStore } from 'react'

/** Answers whether the user has proven their identity. */
type Answer = (isConfirmed: boolean) => void

let asked: { question: Promise<boolean>; answer: Answer } | null = null
const listeners = new Set<() => void>()

/** Opens the dialog in which users prove their identity. Calls that fail at the same time share one dialog. */
export function askToConfirm(): Promise<boolean> {
  if (asked) return asked.question
  const { promise: question, resolve } = Promise.withResolvers<boolean>()
  const answer = (isConfirmed: boolean) => {
    set(null)
    resolve(isConfirmed)
  }
  set({ question, answer })
  return question
}

function set(next: typeof asked) {
  asked = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The answer that a call waits for, if any. */
export function useAskedToConfirm(): Answer | null {
  return useSyncExternalStore(subscribe, () => asked)?.answer ?? null
}
