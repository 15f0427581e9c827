import { VIEWED_REQUESTS_MAX } from '@sought/contract/constants'
import { readStored, writeStored } from '../../data/browser-storage.ts'

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
export const readViewed = (userId: string | null): number[] =>
  readStored(
    KEY,
    (stored: Viewed) =>
      stored.userId === null || stored.userId === userId ? stored.ids.filter(Number.isInteger) : [],
    [],
  )

export function rememberViewed(userId: string | null, id: number): void {
  const others = readViewed(userId).filter((it) => it !== id)
  writeStored(KEY, { userId, ids: [id, ...others].slice(0, VIEWED_REQUESTS_MAX) } satisfies Viewed)
}

export const forgetViewed = () => writeStored(KEY, undefined)
