import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import type { DrawingName } from '../../ui/display/drawing.tsx'

interface DisputeUnavailableProps {
  title: string
  drawing?: DrawingName
  /** A link shown before 'Back to Payments'. */
  primaryAction?: ReactNode
  children: ReactNode
}

/** Shown instead of a dispute that the user cannot see or file. */
export function DisputeUnavailable({ primaryAction, ...content }: DisputeUnavailableProps) {
  return (
    <ErrorPage
      {...content}
      action={
        <>
          {primaryAction}
          <LinkButton to={paths.payments()} variant={primaryAction ? 'secondary' : 'primary'}>
            Back to Payments
          </LinkButton>
        </>
      }
    />
  )
}
