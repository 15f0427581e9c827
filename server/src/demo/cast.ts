import type { Actor } from '../http/session.ts'

/** The people and requests of the demo, by their keys. */
export interface Cast {
  userOf(personKey: string): Actor
  itemOf(requestKey: string): { id: number; ownerKey: string }
}
