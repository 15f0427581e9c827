import { useSyncExternalStore } from 'react'

const subscribe = () => () => {}

/** False on the server and while its page is taken over; true from then on. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}

/**
 * The props of a button that needs our code. On a page from the server the code comes after the content, and a press
 * before it would be lost without a sign. The button looks as it will, but says that it is not ready.
 */
export function useReadiness(): { 'aria-disabled'?: true } {
  return useIsHydrated() ? {} : { 'aria-disabled': true }
}
