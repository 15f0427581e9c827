import { EVIDENCE_MAX_FILES } from '@sought/contract/constants'
import { type Dispute, getDispute } from '@sought/contract/disputes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh } from '../../lib/calls.ts'
import { Button } from '../../ui/button.tsx'
import { EvidenceUploader } from './evidence-uploader.tsx'
import { SendingEvidence } from './sending-evidence.tsx'
import { useEvidenceFiles } from './use-evidence-files.ts'

interface AddEvidenceProps {
  dispute: Dispute
  /** How many files this person has sent so far. */
  sentCount: number
}

/** More files for a dispute that is open: chosen first, then sent together. */
export function AddEvidence({ dispute, sentCount }: AddEvidenceProps) {
  const [phase, setPhase] = useState<'choosing' | 'sending'>('choosing')
  const evidence = useEvidenceFiles(sentCount)
  const cache = useQueryClient()
  const { files } = evidence
  const isUnderWay = files.some(({ state }) => state.at === 'sending' || state.at === 'chosen')
  const startOver = () => {
    evidence.clear()
    setPhase('choosing')
  }
  const send = async () => {
    setPhase('sending')
    await evidence.send(dispute.id)
    await refresh(cache, [getDispute])
  }

  if (phase === 'sending') {
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <SendingEvidence
          evidence={evidence}
          onRetry={async (file) => {
            await evidence.retry(file, dispute.id)
            await refresh(cache, [getDispute])
          }}
        />
        {!isUnderWay && (
          <Button variant="secondary" className="justify-self-start" onClick={startOver}>
            {files.every(({ state }) => state.at === 'sent') ? 'Done' : 'Continue Without'}
          </Button>
        )}
      </div>
    )
  }
  const leftCount = EVIDENCE_MAX_FILES - sentCount
  if (leftCount <= 0) {
    return <p className="text-fine text-ink-soft">You have sent all {EVIDENCE_MAX_FILES} files that fit.</p>
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <EvidenceUploader evidence={evidence} leftCount={leftCount} />
      {files.length > 0 && (
        <Button className="justify-self-start" onClick={send}>
          {files.length === 1 ? 'Send File' : `Send ${files.length} Files`}
        </Button>
      )}
    </div>
  )
}
