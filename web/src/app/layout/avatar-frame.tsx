import { Avatar } from '../../ui/avatar.tsx'
import type { AccountUser } from './account-bar.tsx'

/** The avatar at the end of the header: the same size before and after its menu's code arrives. */
export function AvatarFrame({ user }: { user: AccountUser }) {
  return (
    <span className="grid size-11 place-items-center">
      <Avatar name={user.name} imageUrl={user.profileImageUrl} size="md" />
    </span>
  )
}
