import { checkConfirmed } from '@sought/contract/second-factors'
import type { ComponentProps, MouseEvent } from 'react'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'

interface ConfirmedDownloadProps extends Pick<ComponentProps<typeof Button>, 'children' | 'size'> {
  href: string
}

/**
 * A download that needs a recent proof of identity. A link cannot open the dialog that confirms the identity, so this
 * first asks the server whether that is needed.
 */
export function ConfirmedDownload({ href, size, children }: ConfirmedDownloadProps) {
  const { run, isPending } = useAction(checkConfirmed, {
    failure: explainFailure('The download could not be started'),
    onDone: () => window.location.assign(href),
  })
  const start = (event: MouseEvent) => {
    event.preventDefault()
    void run()
  }
  return (
    <Button asChild variant="secondary" busy={isPending} {...(size && { size })}>
      <a href={href} download onClick={start}>
        {children}
      </a>
    </Button>
  )
}
