import type { RequestFields } from './request-form-state.ts'

/*
 * A request that is being written, kept in this browser for the person who writes it, until it is posted. A reload, a
 * closed dialog or a session that ran out loses nothing.
 */
const storageKeyOf = (userId: string) => `sought:draft:${userId}`

const kinds: Record<string, 'string' | 'number'> = {
  title: 'string',
  description: 'string',
  category: 'string',
  minBudget: 'number',
  maxBudget: 'number',
  location: 'string',
  urgency: 'string',
  imageUrl: 'string',
} satisfies Record<keyof RequestFields, 'string' | 'number'>

/** What was kept, as far as it can still be read; undefined when there is nothing. */
export function readDraft(userId: string): RequestFields | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKeyOf(userId)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return undefined
    return Object.fromEntries(Object.entries(kept).filter(([name, value]) => typeof value === kinds[name]))
  } catch {
    return undefined
  }
}

export function keepDraft(userId: string, draft: RequestFields): void {
  try {
    localStorage.setItem(storageKeyOf(userId), JSON.stringify(draft))
  } catch {
    // A browser that is full or keeps nothing: the form works all the same.
  }
}

export function dropDraft(userId: string): void {
  try {
    localStorage.removeItem(storageKeyOf(userId))
  } catch {
    // As above.
  }
}
