import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { type Dispute, uploadEvidence } from '@sought/contract/disputes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshAfter } from '../../data/calls.ts'
import { Button } from '../../ui/forms/button.tsx'
import { EvidenceUploader } from './evidence-uploader.tsx'
import { UploadList } from './upload-list.tsx'
import { useEvidenceFiles } from './use-evidence-files.ts'

interface AddEvidenceProps {
  dispute: Dispute
  /** The number of files that the user has already uploaded. */
  uploadedCount: number
}

/** Adds files to an open dispute: the user selects them first, then sends them together. */
export function AddEvidence({ dispute, uploadedCount }: AddEvidenceProps) {
  const [phase, setPhase] = useState<'selecting' | 'sending'>('selecting')
  const evidence = useEvidenceFiles(uploadedCount)
  const cache = useQueryClient()
  const { files, isSending, areSent } = evidence
  const startOver = () => {
    evidence.clear()
    setPhase('selecting')
  }
  const send = async () => {
    setPhase('sending')
    await evidence.send(dispute.id)
    await refreshAfter(cache, uploadEvidence)
  }

  if (phase === 'sending') {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <UploadList
          files={files}
          onRetry={async (file) => {
            await evidence.retry(file, dispute.id)
            await refreshAfter(cache, uploadEvidence)
          }}
        />
        {!isSending && (
          <Button variant="secondary" className="justify-self-start" onClick={startOver}>
            {areSent ? 'Done' : 'Skip Failed Files'}
          </Button>
        )}
      </div>
    )
  }
  const remainingCount = EVIDENCE_MAX_FILES - uploadedCount
  if (remainingCount <= 0) {
    return (
      <p className="text-fine text-ink-soft">You have uploaded the maximum of {EVIDENCE_MAX_FILES} files.</p>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <EvidenceUploader evidence={evidence} remainingCount={remainingCount} />
      {files.length > 0 && (
        <Button className="justify-self-start" onClick={send}>
          {files.length === 1 ? 'Send File' : `Send ${files.length} Files`}
        </Button>
      )}
    </div>
  )
}
