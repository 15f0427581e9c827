import { paths } from '@sought/contract/paths'
import type { WantedItem } from '@sought/contract/requests'
import { MessagesSquare } from 'lucide-react'
import { useLocation } from 'wouter'
import { useSession } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'

/** Opens the conversation with the buyer. Visitors are asked to sign in and then come back here. */
export function ContactBuyerButton({ item }: { item: WantedItem }) {
  const [here, navigate] = useLocation()
  const { state } = useSession()

  const contact = () => {
    if (state === 'signed-in') return navigate(paths.messages({ itemId: item.id, userId: item.userId }))
    toast({ title: 'Login Required', description: 'Please log in to contact buyers', variant: 'destructive' })
    navigate(paths.auth({ returnTo: here }))
  }

  return (
    <Button size="lg" wide disabled={item.status !== 'open'} onClick={contact}>
      <MessagesSquare aria-hidden="true" />
      Contact Buyer
    </Button>
  )
}
