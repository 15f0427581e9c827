import type { Person } from '../market-builder/send.ts'

/** The people and requests of the demo, by their keys. */
export interface Cast {
  personOf(personKey: string): Person
  /** Somebody without an account. */
  visitor: Person
  itemOf(requestKey: string): { id: number; ownerKey: string }
}
