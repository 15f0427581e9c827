import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

/** Stands where a declared screen will be. It goes when the last screen is built. */
export function NotBuiltScreen() {
  return (
    <Page title="Not open yet" heading={null}>
      <EmptyState
        title="Not open yet"
        headingLevel="h1"
        action={
          <Button asChild>
            <Link href={paths.home()}>Back to the noticeboard</Link>
          </Button>
        }
      >
        This part of Sought is still being built.
      </EmptyState>
    </Page>
  )
}
