import { paths } from '@sought/contract/paths'
import { ErrorPage, LinkButton } from '../../lib/error-page.tsx'

export function NotFoundScreen() {
  return (
    <ErrorPage
      title="Page Not Found"
      action={<LinkButton to={paths.home()}>Back to the noticeboard</LinkButton>}
    >
      404: whatever was pinned here has been taken down, or never was.
    </ErrorPage>
  )
}
