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
