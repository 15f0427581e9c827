import { paths } from '@sought/contract/paths'
import { DeadEnd, WayOn } from '../../lib/dead-end.tsx'

export function NotFoundScreen() {
  return (
    <DeadEnd title="Page Not Found" action={<WayOn to={paths.home()}>Back to the noticeboard</WayOn>}>
      404: whatever was pinned here has been taken down, or never was.
    </DeadEnd>
  )
}
