import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { FileDrop } from '../../ui/file-drop.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ACCEPTED_FILES, fileSize } from './evidence-files.ts'
import type { EvidenceDraft, EvidenceFiles } from './use-evidence-files.ts'

const DESCRIPTION_MAX_LENGTH = 2000

interface EvidenceUploaderProps {
  evidence: EvidenceFiles
  /** How many the person may still add. */
  leftCount?: number
}

/** Files to choose or drop, with their pictures and a description each. Nothing is sent from here. */
export function EvidenceUploader({ evidence, leftCount = EVIDENCE_MAX_FILES }: EvidenceUploaderProps) {
  const { files } = evidence
  return (
    <FileDrop
      label="Evidence files"
      hint={`Images, PDF, DOC, DOCX or TXT. Up to ${leftCount} ${leftCount === 1 ? 'file' : 'files'} of 10MB each.`}
      accept={ACCEPTED_FILES}
      files={files.map(asDropped)}
      onFiles={evidence.choose}
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

/** A file as the rows of the design system show it. */
export function asDropped({ id, file, previewUrl, state }: EvidenceDraft) {
  return {
    id,
    name: file.name,
    size: state.at === 'sent' ? `${fileSize(file.size)}, sent` : fileSize(file.size),
    previewUrl,
    progress: state.at === 'sending' ? state.progress : undefined,
    error: state.at === 'failed' ? state.words : undefined,
  }
}
