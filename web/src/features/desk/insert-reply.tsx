import { listReplies } from '@sought/contract/casework'
import type { DeskDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { fillPlaceholders } from '@sought/contract/reply-placeholders'
import { ChevronDown } from 'lucide-react'
import { Link } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { disputeTitle } from '../../lib/dispute-status.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

interface InsertReplyProps {
  dispute: DeskDispute
  onInsert: (text: string) => void
}

/** Inserts a saved reply with the names and amounts of the dispute. */
export function InsertReply({ dispute, onInsert }: InsertReplyProps) {
  const replies = useRead(listReplies)
  const values = {
    buyer: dispute.buyer.name,
    seller: dispute.seller.name,
    item: disputeTitle(dispute),
    amount: formatCents(dispute.amount, dispute.currency),
    transaction: dispute.transactionNumber,
  }
  return (
    <Menu
      align="start"
      label="Saved replies"
      trigger={
        <Button variant="secondary" size="sm" className="justify-self-start">
          Insert Saved Reply
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {replies.data?.map(({ id, title, text }) => (
        <MenuItem key={id} onSelect={() => onInsert(fillPlaceholders(text, values))}>
          {title}
        </MenuItem>
      ))}
      {replies.data && replies.data.length > 0 && <MenuSeparator />}
      <MenuItem asChild>
        <Link href={paths.adminReplies()}>Manage saved replies</Link>
      </MenuItem>
    </Menu>
  )
}
