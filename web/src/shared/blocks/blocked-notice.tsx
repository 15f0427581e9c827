import type { PublicUser } from '@sought/contract/accounts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { UnblockButton } from './block-button.tsx'

/** Explains that the user has blocked this person, with a button to unblock them. */
export function BlockedNotice({ person }: { person: Pick<PublicUser, 'id' | 'name'> }) {
  return (
    <Notice title={`You have blocked ${person.name}`} action={<UnblockButton person={person} size="sm" />}>
      You cannot send each other messages or offers. Open deals continue.
    </Notice>
  )
}
