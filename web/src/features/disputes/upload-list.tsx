import { Button } from '../../ui/forms/button.tsx'
import { FileRow } from '../../ui/forms/file-row.tsx'
import { toFileRow } from './evidence-uploader.tsx'
import type { EvidenceFile } from './use-evidence-files.ts'

interface UploadListProps {
  files: readonly EvidenceFile[]
  onRetry: (file: EvidenceFile) => void
}

/** Files being uploaded, each with its progress and, after a failure, a retry button. */
export function UploadList({ files, onRetry }: UploadListProps) {
  return (
    <ul aria-label="Evidence files" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {files.map((evidenceFile) => (
        <FileRow key={evidenceFile.id} file={toFileRow(evidenceFile)}>
          {evidenceFile.upload.state === 'failed' && evidenceFile.upload.canRetry && (
            <Button
              variant="secondary"
              size="sm"
              onClick={() => onRetry(evidenceFile)}
              aria-label={`Try again: ${evidenceFile.file.name}`}
            >
              Try Again
            </Button>
          )}
        </FileRow>
      ))}
    </ul>
  )
}
