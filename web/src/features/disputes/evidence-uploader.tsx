import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { formatFileSize } from '../../format/file-size.ts'
import { plural } from '../../format/plural.ts'
import { FileDrop } from '../../ui/forms/file-drop.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import type { EvidenceFile, EvidenceFiles } from './use-evidence-files.ts'
import { ACCEPTED_FILES } from './validate-files.ts'

const DESCRIPTION_MAX_LENGTH = 2000

interface EvidenceUploaderProps {
  evidence: EvidenceFiles
  /** How many files the user may still add. */
  remainingCount?: number
}

/** Selects and describes files. It does not send them. */
export function EvidenceUploader({ evidence, remainingCount = EVIDENCE_MAX_FILES }: EvidenceUploaderProps) {
  const { files } = evidence
  return (
    <FileDrop
      label="Evidence files"
      hint={`Images, PDF, DOC, DOCX or TXT. Up to ${plural(remainingCount, 'file')} of 10MB each.`}
      accept={ACCEPTED_FILES}
      files={files.map(toFileRow)}
      onFiles={evidence.add}
      onRemove={evidence.remove}
      renderExtra={({ id, name }) => (
        <TextField
          label={`Description of ${name}`}
          hideLabel
          placeholder="What does it show? (optional)"
          maxLength={DESCRIPTION_MAX_LENGTH}
          value={files.find((it) => it.id === id)?.description ?? ''}
          onChange={({ target }) => evidence.describe(id, target.value)}
        />
      )}
    />
  )
}

/** The props of an evidence file for FileDrop and FileRow. */
export function toFileRow({ id, file, previewUrl, upload }: EvidenceFile) {
  const size = formatFileSize(file.size)
  return {
    id,
    name: file.name,
    size: upload.state === 'sent' ? `${size}, sent` : size,
    previewUrl,
    progress: upload.state === 'sending' ? upload.progress : undefined,
    error: upload.state === 'failed' ? upload.message : undefined,
  }
}
