import { checkConfirmed } from '@sought/contract/second-factors'
import { downloadOwnData } from '@sought/contract/security'
import { Download } from 'lucide-react'
import type { MouseEvent } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { Button } from '../../../ui/forms/button.tsx'

/** A link cannot open the dialog that confirms the identity, so this first asks the server whether that is needed. */
export function DownloadData() {
  const { run, isPending } = useAction(checkConfirmed, {
    failure: explainFailure('The download could not be started'),
    onDone: () => window.location.assign(downloadOwnData.path),
  })
  const start = (event: MouseEvent) => {
    event.preventDefault()
    void run()
  }
  return (
    <Button asChild variant="secondary" busy={isPending}>
      <a href={downloadOwnData.path} download onClick={start}>
        <Download aria-hidden="true" />
        Download My Data
      </a>
    </Button>
  )
}
