import type { DisputeDraft } from '@sought/contract/dispute-draft'
import { initiateDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { toast } from '../../data/toasts.ts'
import { useAction } from '../../data/use-action.ts'
import { composeReason } from './compose-reason.ts'
import type { EvidenceFiles } from './use-evidence-files.ts'

/** Files the dispute once, then uploads its evidence. */
export function useFileDispute(paymentId: number, evidence: EvidenceFiles) {
  const [phase, setPhase] = useState<'editing' | 'filing' | 'uploading'>('editing')
  const isFiling = useRef(false)
  const [, navigate] = useLocation()
  const { run } = useAction(initiateDispute, {
    failure: 'Failed to submit dispute. Please try again.',
    // If the payment can no longer be disputed, its summary says why.
  })

  function finish(): void {
    const sentCount = evidence.files.filter(({ upload }) => upload.state === 'sent').length
    toast({
      title: 'Dispute Submitted Successfully',
      description:
        sentCount > 0
          ? `Dispute submitted with ${sentCount} evidence file(s). We'll review your case within 24 hours.`
          : "We'll review your case and contact you within 24 hours",
    })
    navigate(paths.payments())
  }

  return {
    phase,
    async file(draft: DisputeDraft): Promise<void> {
      // A double click arrives before React has disabled the button.
      if (isFiling.current) return
      isFiling.current = true
      const fileNames = evidence.files.map(({ file }) => file.name)
      setPhase('filing')
      if (!(await run({ body: { paymentId, reason: composeReason(draft, fileNames) } }))) {
        isFiling.current = false
        return setPhase('editing')
      }
      if (evidence.files.length === 0) return finish()
      setPhase('uploading')
      await evidence.send(paymentId)
    },
    finish,
  }
}
