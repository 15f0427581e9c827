import type { PublicUser } from '@sought/contract/accounts'
import { Notice } from '../ui/notice.tsx'
import { UnblockButton } from './block-button.tsx'

/** Says what the user's block of a person means, and ends it. */
export function BlockedNotice({ person }: { person: Pick<PublicUser, 'id' | 'name'> }) {
  return (
    <Notice title={`You have blocked ${person.name}`} action={<UnblockButton person={person} size="sm" />}>
      You cannot send each other messages or offers. Open deals continue.
    </Notice>
  )
}
