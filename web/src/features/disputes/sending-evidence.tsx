import { Button } from '../../ui/button.tsx'
import { FileRow } from '../../ui/file-row.tsx'
import { asDropped } from './evidence-uploader.tsx'
import type { EvidenceDraft, EvidenceFiles } from './use-evidence-files.ts'

interface SendingEvidenceProps {
  evidence: EvidenceFiles
  onRetry: (file: EvidenceDraft) => void
}

/** Files on their way: a bar each, and another try for one that did not arrive. */
export function SendingEvidence({ evidence, onRetry }: SendingEvidenceProps) {
  return (
    <ul aria-label="Evidence files" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {evidence.files.map((draft) => (
        <FileRow key={draft.id} file={asDropped(draft)}>
          {draft.state.at === 'failed' && draft.state.retryable && (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => onRetry(draft)}
              aria-label={`Try again: ${draft.file.name}`}
            >
              Try Again
            </Button>
          )}
        </FileRow>
      ))}
    </ul>
  )
}
