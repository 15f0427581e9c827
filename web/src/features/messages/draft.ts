import type { Parties } from './parties.ts'

/* What is being written to somebody about something, kept in this browser until it is sent. */
const storageKeyOf = ({ me, other, item }: Parties) => `sought:message:${me}:${item.id}:${other.id}`

export function readDraft(parties: Parties): string {
  try {
    return localStorage.getItem(storageKeyOf(parties)) ?? ''
  } catch {
    return ''
  }
}

export function keepDraft(parties: Parties, text: string): void {
  try {
    if (text) localStorage.setItem(storageKeyOf(parties), text)
    else localStorage.removeItem(storageKeyOf(parties))
  } catch {
    // A browser that is full or keeps nothing: writing works all the same.
  }
}
