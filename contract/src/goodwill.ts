/** A goodwill payment above the limit waits for a second admin. */
export const GOODWILL_STATUSES = ['waiting', 'done', 'rejected'] as const
