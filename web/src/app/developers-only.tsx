import { getConfig } from '@sought/contract/platform'
import { DevUiScreen } from '../features/dev-ui/dev-ui-screen.tsx'
import { useRead } from '../lib/calls.ts'
import { Loaded } from '../lib/loaded.tsx'
import { NotFoundScreen } from './layout/not-found.tsx'

/** The gallery of components. In production there is no such page. */
export function DevUi() {
  const config = useRead(getConfig)
  return (
    <Loaded of={config}>{({ development }) => (development ? <DevUiScreen /> : <NotFoundScreen />)}</Loaded>
  )
}
