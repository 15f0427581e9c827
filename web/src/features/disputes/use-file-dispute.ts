import { DisputeDraft } from '@sought/contract/dispute-draft'
import { initiateDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { toast, toastFailure } from '../../data/toasts.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { composeReason } from './compose-reason.ts'
import type { EvidenceFiles } from './use-evidence-files.ts'

const emptyDraft = {
  reason: '',
  description: '',
  attemptedResolution: '',
  desiredOutcome: '',
  hasEvidence: false,
  evidenceDescription: '',
  additionalComments: '',
} as const

/** Files the dispute, then uploads its evidence. */
export function useFileDispute(paymentId: number, evidence: EvidenceFiles) {
  const [isUploading, setIsUploading] = useState(false)
  const [, navigate] = useLocation()
  const form = useContractForm(initiateDispute, {
    schema: DisputeDraft,
    values: emptyDraft,
    input: (draft) => ({
      body: {
        paymentId,
        reason: composeReason(
          draft,
          evidence.files.map(({ file }) => file.name),
        ),
      },
    }),
    failure: 'Failed to submit dispute. Please try again.',
    onInvalid: () => toastFailure('Missing Information', 'Please fill in all required fields'),
    // If the payment can no longer be disputed, its summary says why.
    onSuccess: () => {
      if (evidence.files.length === 0) return finish()
      setIsUploading(true)
      void evidence.send(paymentId)
    },
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

  return { form, isUploading, finish }
}
