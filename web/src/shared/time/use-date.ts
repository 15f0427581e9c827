import { formatDate, formatDateInUtc } from '../../format/dates.ts'
import { useIsHydrated } from '../../ui/base/hydration.ts'

/**
 * 'November 22, 2026', in the user's time zone. The server does not know the zone, so its pages start with UTC.
 */
export function useDate(at: string): string {
  return useIsHydrated() ? formatDate(at) : formatDateInUtc(at)
}
