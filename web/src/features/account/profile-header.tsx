import type { CurrentUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { BadgeCheck } from 'lucide-react'
import { Link } from 'wouter'
import { formatDate } from '../../format/dates.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { PersonHeader } from '../../ui/display/person-header.tsx'

export function ProfileHeader({ user }: { user: CurrentUser }) {
  return (
    <div className="mb-6">
      <PersonHeader name={user.name} imageUrl={user.profileImageUrl}>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 [overflow-wrap:anywhere]">{user.email}</span>
          {user.emailVerified ? (
            <Badge tone="accent" icon={<BadgeCheck aria-hidden="true" />}>
              Verified
            </Badge>
          ) : (
            <Badge tone="outline">Not verified</Badge>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-fine text-ink-soft">
          <span>Member since {formatDate(user.createdAt)}</span>
          <Link href={paths.user(user.id)} className="link">
            Public profile
          </Link>
        </p>
      </PersonHeader>
    </div>
  )
}
