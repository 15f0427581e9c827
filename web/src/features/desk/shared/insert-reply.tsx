import { listReplies } from '@sought/contract/casework'
import { paths } from '@sought/contract/paths'
import { fillPlaceholders, type PlaceholderValues } from '@sought/contract/reply-placeholders'
import { ChevronDown } from 'lucide-react'
import { Link } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlays/menu.tsx'

interface InsertReplyProps {
  values: PlaceholderValues
  onInsert: (text: string) => void
}

/** Inserts a saved reply with the names and amounts of a deal. */
export function InsertReply({ values, onInsert }: InsertReplyProps) {
  const replies = useRead(listReplies)
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

/** Keeps the text that was written before. */
export const appendReply = (written: string, reply: string) => (written ? `${written}\n\n${reply}` : reply)
