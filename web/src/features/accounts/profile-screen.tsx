import type { CurrentUser } from '@sought/contract/accounts'
import { type ProfileTab, paths } from '@sought/contract/paths'
import { useLocation, useSearchParams } from 'wouter'
import { useSession } from '../../lib/session.ts'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { ProfileHead } from './profile-head.tsx'
import { SecurityTab } from './security-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'

const labels = {
  overview: 'Overview',
  settings: 'Settings',
  activity: 'Activity',
  security: 'Security',
} as const satisfies Record<ProfileTab, string>

const isTab = (name: string | null): name is ProfileTab => name !== null && name in labels

export function ProfileScreen() {
  const session = useSession()
  if (session.state !== 'signed-in') return null
  return <Profile user={session.user} />
}

/** Who somebody is here, in four tabs. Which one is shown stands in the address. */
function Profile({ user }: { user: CurrentUser }) {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const named = query.get('tab')
  const tab = isTab(named) ? named : 'overview'
  const contents = {
    overview: <OverviewTab user={user} />,
    settings: <SettingsTab user={user} />,
    activity: <ActivityTab user={user} />,
    security: <SecurityTab user={user} />,
  } satisfies Record<ProfileTab, unknown>
  const show = (value: string) => {
    if (isTab(value)) navigate(paths.profile(value === 'overview' ? {} : { tab: value }), { replace: true })
  }
  return (
    <Page title="Profile" heading={null}>
      <ProfileHead user={user} />
      <Tabs
        label="Profile"
        value={tab}
        onValueChange={show}
        tabs={Object.entries(labels).map(([value, label]) => ({
          value,
          label,
          content: contents[value as ProfileTab],
        }))}
      />
    </Page>
  )
}
