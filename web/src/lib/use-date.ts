import { useIsHydrated } from '../ui/hydration.ts'
import { formatDate } from './dates.ts'

const utcDay = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** 'November 22, 2026', in the user's time zone. The server does not know it, so its pages start with UTC. */
export function useDate(at: string): string {
  return useIsHydrated() ? formatDate(at) : utcDay.format(new Date(at))
}
