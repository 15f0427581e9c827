import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import { MessagesSquare } from 'lucide-react'
import { useLocation } from 'wouter'
import { useSession } from '../../data/session.ts'
import { useConversations } from '../../shared/messages/conversations.ts'
import { useSignInFirst } from '../../shared/sign-in/use-sign-in-first.ts'
import { Button } from '../../ui/forms/button.tsx'

/**
 * Opens the conversation with the buyer. Visitors are asked to sign in and then return here. Once the request is no
 * longer open, only people who have already sent a message or an offer can continue.
 */
export function ContactBuyerButton({ item }: { item: WantedItem }) {
  const [, navigate] = useLocation()
  const signInFirst = useSignInFirst()
  const hasConversation = useHasConversation(item)

  const contact = () =>
    signInFirst('contact buyers', () => navigate(paths.messages({ itemId: item.id, userId: item.userId })))

  if (item.status === 'reserved' && !hasConversation) return null
  return (
    <Button size="lg" wide disabled={item.status !== 'open' && !hasConversation} onClick={contact}>
      <MessagesSquare aria-hidden="true" />
      Contact Buyer
    </Button>
  )
}

function useHasConversation({ id, status }: WantedItem): boolean {
  const { state } = useSession()
  const isNeeded = state === 'signed-in' && status !== 'open'
  const conversations = useConversations({ enabled: isNeeded })
  return conversations.data?.some(({ wantedItem }) => wantedItem.id === id) ?? false
}
