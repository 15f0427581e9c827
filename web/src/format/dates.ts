import type { Timestamp } from '@sought/contract/fields'

/** Creates the formatter at its first use, because the first one on a page is slow. */
function formatWith(options: Intl.DateTimeFormatOptions): (at: string) => string {
  let formatter: Intl.DateTimeFormat | undefined
  return (at) => {
    formatter ??= new Intl.DateTimeFormat('en-US', options)
    return formatter.format(new Date(at))
  }
}

/** 'November 22, 2026', in the user's time zone. */
export const formatDate = formatWith({ dateStyle: 'long' })

/** Like `formatDate`, in UTC. */
export const formatDateInUtc = formatWith({ dateStyle: 'long', timeZone: 'UTC' })

/** 'Nov 22', in the user's time zone, for dates that are near. */
export const formatShortDate = formatWith({ month: 'short', day: 'numeric' })

/** 'Nov 22, 2026, 2:05 PM', in the user's time zone. */
export const formatDateTime = formatWith({ dateStyle: 'medium', timeStyle: 'short' })

/** '2:05 PM', in the user's time zone. */
export const formatTime = formatWith({ timeStyle: 'short' })

/** 'Nov 22, 2026' in UTC, so that it is the same for everyone and in the right month. */
export const formatUtcDate = formatWith({ dateStyle: 'medium', timeZone: 'UTC' })

const formatMonthOf = formatWith({ year: 'numeric', month: 'long', timeZone: 'UTC' })

/** 'November 2026' for '2026-11'. */
export const formatMonth = (text: string) => formatMonthOf(`${text}-01T00:00:00Z`)

/** The current time, in the server's format. */
export const getTimestamp = () => new Date().toISOString() as Timestamp
