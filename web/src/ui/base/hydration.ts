import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** False on the server and during hydration, then true. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}

/**
 * The props of a button that needs our code. On a page from the server, the code loads after the content, and an
 * earlier click would be lost silently. The button looks normal, but is marked as disabled.
 */
export function useReadiness(): { 'aria-disabled'?: true } {
  return useIsHydrated() ? {} : { 'aria-disabled': true }
}
