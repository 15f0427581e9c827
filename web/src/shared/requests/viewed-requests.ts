import { VIEWED_REQUESTS_MAX } from '@sought/contract/constants'

/*
 * The ids of the requests last viewed in this browser, latest first. They are sent to the server only to ask which
 * of them still exist. A user's list is not shown to other users of the browser.
 */
const KEY = 'sought:viewed'

interface Viewed {
  /** Null if nobody was signed in. A visitor who signs in keeps the list. */
  userId: string | null
  ids: number[]
}

/** Empty if the stored list is invalid or belongs to another user. */
export function readViewed(userId: string | null): number[] {
  try {
    const stored: Viewed = JSON.parse(localStorage.getItem(KEY) ?? '')
    return stored.userId === null || stored.userId === userId ? stored.ids.filter(Number.isInteger) : []
  } catch {
    return []
  }
}

export function rememberViewed(userId: string | null, id: number): void {
  const others = readViewed(userId).filter((it) => it !== id)
  const viewed: Viewed = { userId, ids: [id, ...others].slice(0, VIEWED_REQUESTS_MAX) }
  try {
    localStorage.setItem(KEY, JSON.stringify(viewed))
  } catch {
    // Storage is full or disabled, so nothing is stored.
  }
}

export function forgetViewed(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage is disabled, so nothing was stored.
  }
}
