import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function NotFoundScreen() {
  return (
    <Page title="Page Not Found" heading={null}>
      <EmptyState
        drawing="torn"
        title="Page Not Found"
        headingLevel="h1"
        action={
          <Button asChild>
            <Link href={paths.home()}>Back to the noticeboard</Link>
          </Button>
        }
      >
        404: whatever was pinned here has been taken down, or never was.
      </EmptyState>
    </Page>
  )
}
