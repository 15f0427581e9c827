import { paths } from '@sought/contract/paths'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'

export function NotFoundScreen() {
  return (
    <ErrorPage title="Page Not Found" action={<LinkButton to={paths.home()}>Back to Home</LinkButton>}>
      404: this page does not exist, or it has been removed.
    </ErrorPage>
  )
}
