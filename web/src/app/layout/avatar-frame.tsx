import { Avatar } from '../../ui/display/avatar.tsx'
import type { AccountUser } from './account-bar.tsx'

/** The avatar in the header. It has the same size before and after the code of its menu has loaded. */
export function AvatarFrame({ user }: { user: AccountUser }) {
  return (
    <span className="grid size-11 place-items-center">
      <Avatar name={user.name} imageUrl={user.profileImageUrl} size="md" />
    </span>
  )
}
