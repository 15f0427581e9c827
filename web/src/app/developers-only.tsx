import { getConfig } from '@sought/contract/platform'
import { type ComponentType, lazy } from 'react'
import { useRead } from '../lib/calls.ts'
import { Loaded } from '../lib/loaded.tsx'
import { NotFoundScreen } from './layout/not-found.tsx'

const DevUiScreen = lazy(async () => ({
  default: (await import('../features/dev-ui/dev-ui-screen.tsx')).DevUiScreen,
}))
const DevEmailsScreen = lazy(async () => ({
  default: (await import('../features/notifications/dev-emails-screen.tsx')).DevEmailsScreen,
}))

/** The gallery of components. */
export const DevUi = () => <DevelopersOnly Shown={DevUiScreen} />

/** The mails that were kept instead of sent. */
export const DevMail = () => <DevelopersOnly Shown={DevEmailsScreen} />

/** In production there are no such pages. */
function DevelopersOnly({ Shown }: { Shown: ComponentType }) {
  const config = useRead(getConfig)
  return <Loaded query={config}>{({ development }) => (development ? <Shown /> : <NotFoundScreen />)}</Loaded>
}
