import type { DisputeDraft } from '@sought/contract/dispute-draft'
import { initiateDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { getPayment, getPaymentSummary, listPayments } from '@sought/contract/payments'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { refresh, useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { composeReason } from './compose-reason.ts'
import type { EvidenceFiles } from './use-evidence-files.ts'

/** With these statuses the payment can no longer be disputed: the screen reads it again and says why. */
const PERMANENT_STATUSES = [403, 404, 409]

/** Files the dispute once, then uploads its evidence. */
export function useFileDispute(paymentId: number, evidence: EvidenceFiles) {
  const [phase, setPhase] = useState<'editing' | 'filing' | 'uploading'>('editing')
  const isFiling = useRef(false)
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()
  const initiate = useSend(initiateDispute, { refreshes: [listPayments, getPayment] })

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

  async function fail(error: unknown): Promise<void> {
    if (sessionEnded(error)) return
    toast({
      title: 'Error',
      description: 'Failed to submit dispute. Please try again.',
      variant: 'destructive',
    })
    if (error instanceof CallError && PERMANENT_STATUSES.includes(error.status)) {
      await refresh(cache, [getPaymentSummary])
    }
  }

  return {
    phase,
    async file(draft: DisputeDraft): Promise<void> {
      // A double click arrives before React has disabled the button.
      if (isFiling.current) return
      isFiling.current = true
      const fileNames = evidence.files.map(({ file }) => file.name)
      setPhase('filing')
      try {
        await initiate.mutateAsync({ body: { paymentId, reason: composeReason(draft, fileNames) } })
      } catch (error) {
        isFiling.current = false
        setPhase('editing')
        return fail(error)
      }
      if (evidence.files.length === 0) return finish()
      setPhase('uploading')
      await evidence.send(paymentId)
    },
    finish,
  }
}
