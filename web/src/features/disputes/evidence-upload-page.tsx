import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { UploadList } from './upload-list.tsx'
import type { EvidenceFiles } from './use-evidence-files.ts'

interface EvidenceUploadPageProps {
  paymentId: number
  evidence: EvidenceFiles
  onFinish: () => void
}

/** Shown after filing, until every file is sent or the user gives up on the failed ones. */
export function EvidenceUploadPage({ paymentId, evidence, onFinish }: EvidenceUploadPageProps) {
  const status = useRef<HTMLParagraphElement>(null)
  // The form that had the focus no longer exists.
  useEffect(() => status.current?.focus(), [])
  const { files, isSending, areSent } = evidence
  const finish = useEffectEvent(onFinish)
  useEffect(() => {
    if (areSent) finish()
  }, [areSent])
  const failedCount = files.filter(({ upload }) => upload.state === 'failed').length
  return (
    <Page title="Your dispute is filed" width="column">
      <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <p ref={status} tabIndex={-1} role="status" className="text-ink-soft outline-none">
          {isSending
            ? 'Uploading your evidence. Please keep this page open until it is finished.'
            : resultText(failedCount)}
        </p>
        <UploadList files={files} onRetry={(file) => evidence.retry(file, paymentId)} />
        {!isSending && failedCount > 0 && (
          <div className="grid gap-2">
            <Button variant="secondary" className="justify-self-start" onClick={onFinish}>
              Skip Failed Files
            </Button>
            <p className="text-fine text-ink-soft">
              Your dispute has been filed. You can also add files to it later.
            </p>
          </div>
        )}
      </Card>
    </Page>
  )
}

function resultText(failedCount: number): string {
  if (failedCount === 0) return 'All files were uploaded.'
  if (failedCount === 1) return 'One file was not uploaded. Try again, or continue without it.'
  return `${failedCount} files were not uploaded. Try again, or continue without them.`
}
