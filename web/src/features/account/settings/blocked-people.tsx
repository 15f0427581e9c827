import { listBlocks } from '@sought/contract/reports'
import { useRead } from '../../../data/calls.ts'
import { UnblockButton } from '../../../shared/blocks/block-button.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { PersonLink } from '../../../shared/people/person-link.tsx'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'

/** The people whom the user has blocked, latest first. */
export function BlockedPeople() {
  const blocks = useRead(listBlocks)
  return (
    <Loaded query={blocks} loading={<Skeleton className="h-14" />}>
      {(blocked) =>
        blocked.length === 0 ? (
          <p className="text-ink-soft">You haven't blocked anyone.</p>
        ) : (
          <ul aria-label="Blocked people">
            {blocked.map(({ user }) => (
              <li
                key={user.id}
                className="flex items-center gap-3 border-line border-t py-3 first:border-t-0 first:pt-0"
              >
                <Avatar name={user.name} imageUrl={user.profileImageUrl} size="sm" />
                <span className="min-w-0 grow">
                  <PersonLink person={user} />
                </span>
                <UnblockButton person={user} size="sm" />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
