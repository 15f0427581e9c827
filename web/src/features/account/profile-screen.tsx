import type { CurrentUser } from '@sought/contract/accounts'
import { type ProfileTab, paths } from '@sought/contract/paths'
import { BadgeCheck } from 'lucide-react'
import { useLocation, useSearchParams } from 'wouter'
import { useSession } from '../../data/session.ts'
import { formatDate } from '../../format/dates.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { PersonHeader } from '../../ui/display/person-header.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { DecisionsTab } from './decisions-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { SecurityTab } from './security/security-tab.tsx'
import { SettingsTab } from './settings/settings-tab.tsx'

const labels = {
  overview: 'Overview',
  settings: 'Settings',
  activity: 'Activity',
  security: 'Security',
  decisions: 'Decisions',
} as const satisfies Record<ProfileTab, string>

const isTab = (name: string | null): name is ProfileTab => name !== null && name in labels

export function ProfileScreen() {
  const session = useSession()
  if (session.state !== 'signed-in') return null
  return <Profile user={session.user} />
}

/** The profile in five tabs. The open tab is in the address. */
function Profile({ user }: { user: CurrentUser }) {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const requested = query.get('tab')
  const tab = isTab(requested) ? requested : 'overview'
  const contents = {
    overview: <OverviewTab user={user} />,
    settings: <SettingsTab user={user} />,
    activity: <ActivityTab user={user} />,
    security: <SecurityTab user={user} />,
    decisions: <DecisionsTab />,
  } satisfies Record<ProfileTab, unknown>
  const openTab = (value: string) => {
    if (isTab(value)) navigate(paths.profile(value === 'overview' ? {} : { tab: value }), { replace: true })
  }
  return (
    <Page title="Profile" heading={null}>
      <ProfileHeader user={user} />
      <Tabs
        label="Profile"
        value={tab}
        onValueChange={openTab}
        tabs={Object.entries(labels).map(([value, label]) => ({
          value,
          label,
          content: contents[value as ProfileTab],
        }))}
      />
    </Page>
  )
}

function ProfileHeader({ user }: { user: CurrentUser }) {
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
          <TextLink to={paths.user(user.id)}>Public profile</TextLink>
        </p>
      </PersonHeader>
    </div>
  )
}
