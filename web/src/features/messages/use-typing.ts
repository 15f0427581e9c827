import { announceTyping, type Message } from '@sought/contract/messages'
import { useEffect, useRef } from 'react'
import { send } from '../../data/client.ts'
import { hideTyping } from '../../data/typing.ts'
import type { Parties } from '../../shared/offers/parties.ts'

const INTERVAL_MS = 4_000

/** Returns a function to call when the user types. It notifies the other person at most every few seconds. */
export function useAnnounceTyping({ item, other }: Parties, enabled: boolean): () => void {
  const lastAt = useRef(0)
  return () => {
    if (!enabled || Date.now() - lastAt.current < INTERVAL_MS) return
    lastAt.current = Date.now()
    // A failure is ignored, because the next announcement follows soon.
    send(announceTyping, { body: { wantedItemId: item.id, receiverId: other.id } }).catch(() => {})
  }
}

/** Hides the typing sign of a person who has just sent a message. */
export function useHideTyping({ item, other }: Parties, messages: readonly Message[] | undefined): void {
  const latestId = messages?.find(({ senderId }) => senderId === other.id)?.id
  useEffect(() => {
    if (latestId) hideTyping({ userId: other.id, wantedItemId: item.id })
  }, [latestId, other.id, item.id])
}
