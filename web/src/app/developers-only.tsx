import { getConfig } from '@sought/contract/platform'
import { type ComponentType, lazy } from 'react'
import { useRead } from '../data/calls.ts'
import { Loaded } from '../shared/loading/loaded.tsx'
import { NotFoundScreen } from './layout/not-found.tsx'

const DevUiScreen = lazy(async () => ({
  default: (await import('../features/dev-ui/dev-ui-screen.tsx')).DevUiScreen,
}))
const DevEmailsScreen = lazy(async () => ({
  default: (await import('../features/notifications/dev-emails-screen.tsx')).DevEmailsScreen,
}))

export const DevUi = () => <DevelopersOnly Screen={DevUiScreen} />

export const DevMail = () => <DevelopersOnly Screen={DevEmailsScreen} />

/** These pages do not exist in production. */
function DevelopersOnly({ Screen }: { Screen: ComponentType }) {
  const config = useRead(getConfig)
  return (
    <Loaded query={config}>{({ development }) => (development ? <Screen /> : <NotFoundScreen />)}</Loaded>
  )
}
