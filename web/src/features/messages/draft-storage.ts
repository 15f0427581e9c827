import type { Parties } from '../../shared/offers/parties.ts'

/* The unsent text of each composer, stored in this browser. */

const keyOf = ({ me, other, item }: Parties) => `sought:message:${me}:${item.id}:${other.id}`

/** The key of the photos that are not sent yet. */
export const photosKeyOf = (parties: Parties) => keyOf(parties).replace('message', 'photos')

export function loadDraft(parties: Parties): string {
  try {
    return localStorage.getItem(keyOf(parties)) ?? ''
  } catch {
    return ''
  }
}

export function storeDraft(parties: Parties, text: string): void {
  try {
    if (text) localStorage.setItem(keyOf(parties), text)
    else localStorage.removeItem(keyOf(parties))
  } catch {
    // Storage is full or disabled. Messages can still be sent.
  }
}
