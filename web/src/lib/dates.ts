const day = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' })

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** 'November 22, 2026', in the user's time zone. */
export function formatDate(at: string): string {
  return day.format(new Date(at))
}

/** 'Nov 22, 2026, 2:05 PM', in the user's time zone. */
export function formatDateTime(at: string): string {
  return moment.format(new Date(at))
}
