import type { Timestamp } from '@sought/contract/fields'

const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' })

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const utcDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

const month = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', timeZone: 'UTC' })

/** 'November 22, 2026', in the user's time zone. */
export function formatDate(at: string): string {
  return day.format(new Date(at))
}

/** 'Nov 22', in the user's time zone, for dates that are near. */
export function formatShortDate(at: string): string {
  return shortDay.format(new Date(at))
}

/** 'Nov 22, 2026, 2:05 PM', in the user's time zone. */
export function formatDateTime(at: string): string {
  return moment.format(new Date(at))
}

/** 'November 2026' for '2026-11'. */
export function formatMonth(text: string): string {
  return month.format(new Date(`${text}-01T00:00:00Z`))
}

/** 'Nov 22, 2026' in UTC: the same for everybody, and in its month. */
export function formatUtcDate(at: string): string {
  return utcDay.format(new Date(at))
}

/** The current time, as the server writes times. */
export const getTimestamp = () => new Date().toISOString() as Timestamp
