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
import { composeReason } from './reason.ts'
import type { EvidenceDraft, EvidenceFiles } from './use-evidence-files.ts'

/** The payment is no longer what the form was opened for: how it stands now says more than another try. */
const FINAL_STATUSES = [403, 404, 409]

/** Files the dispute once, then sends its evidence. */
export function useFiling(paymentId: number, evidence: EvidenceFiles) {
  const [phase, setPhase] = useState<'writing' | 'filing' | 'filed'>('writing')
  const underWay = useRef(false)
  const [, navigate] = useLocation()
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()
  const initiate = useSend(initiateDispute, { refreshes: [listPayments, getPayment] })

  /** Leads on, with whatever has arrived. */
  function finish(): void {
    const sentCount = evidence.files.filter(({ state }) => state.at === 'sent').length
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
    if (error instanceof CallError && FINAL_STATUSES.includes(error.status)) {
      await refresh(cache, [getPaymentSummary])
    }
  }

  return {
    phase,
    /** Whether a file is on its way, or waits for its turn. */
    sending: evidence.files.some(({ state }) => state.at === 'sending' || state.at === 'chosen'),
    async file(draft: DisputeDraft): Promise<void> {
      // A second press may come before the button has been told to wait.
      if (underWay.current) return
      underWay.current = true
      const names = evidence.files.map(({ file }) => file.name)
      setPhase('filing')
      try {
        await initiate.mutateAsync({ body: { paymentId, reason: composeReason(draft, names) } })
      } catch (error) {
        underWay.current = false
        setPhase('writing')
        return fail(error)
      }
      if (evidence.files.length === 0) return finish()
      setPhase('filed')
      await evidence.send(paymentId)
    },
    retry: (file: EvidenceDraft) => evidence.retry(file, paymentId),
    finish,
  }
}
