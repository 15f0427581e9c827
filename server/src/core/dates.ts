/* Dates in texts, as in the browser, but in UTC. */

const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const withTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** 'November 22, 2026'. */
export const formatDate = (at: Date): string => long.format(at)

/** 'November 22, 2026 at 2:05 PM UTC'. */
export const formatTime = (at: Date): string => `${withTime.format(at)} UTC`
