import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { SendingEvidence } from './sending-evidence.tsx'
import type { EvidenceFiles } from './use-evidence-files.ts'
import type { useFiling } from './use-filing.ts'

interface FiledProps {
  filing: ReturnType<typeof useFiling>
  evidence: EvidenceFiles
}

/** The dispute stands; its files are on their way. Nobody is led on before each has arrived or been given up. */
export function Filed({ filing, evidence }: FiledProps) {
  const said = useRef<HTMLParagraphElement>(null)
  // The form that had the focus is gone.
  useEffect(() => said.current?.focus(), [])
  const isDone = evidence.files.every(({ state }) => state.at === 'sent')
  const leadOn = useEffectEvent(filing.finish)
  useEffect(() => {
    if (isDone) leadOn()
  }, [isDone])
  const failedCount = evidence.files.filter(({ state }) => state.at === 'failed').length
  return (
    <Page title="Your dispute is filed" width="column">
      <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p ref={said} tabIndex={-1} role="status" className="text-ink-soft outline-none">
          {filing.sending
            ? 'Sending your evidence. Please keep this page open until it is done.'
            : wordsFor(failedCount)}
        </p>
        <SendingEvidence evidence={evidence} onRetry={filing.retry} />
        {!filing.sending && failedCount > 0 && (
          <div className="grid gap-2">
            <Button variant="secondary" className="justify-self-start" onClick={filing.finish}>
              Continue Without
            </Button>
            <p className="text-fine text-ink-soft">
              The dispute itself is safe. You can add files to it later, too.
            </p>
          </div>
        )}
      </Card>
    </Page>
  )
}

function wordsFor(failedCount: number): string {
  if (failedCount === 0) return 'All of your evidence has arrived.'
  const which = failedCount === 1 ? 'One file' : `${failedCount} files`
  return `${which} did not arrive. Try again, or continue without.`
}
