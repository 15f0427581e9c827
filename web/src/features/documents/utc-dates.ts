const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Nov 22, 2026' in UTC, so that a document is the same everywhere and a date is in its month. */
export function formatUtcDate(at: string): string {
  return day.format(new Date(at))
}
