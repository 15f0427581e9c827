import { type DisputeDraft, disputeTypeLabels } from '@sought/contract/dispute-draft'
import { reasonHeadings } from '../../shared/disputes/dispute-reason.tsx'
import { desiredOutcomeLabels } from './dispute-options.ts'

type Part = keyof typeof reasonHeadings

/** Composes the form into the one text that the server stores. Empty parts are left out. */
export function composeReason(draft: DisputeDraft, fileNames: readonly string[]): string {
  const { disputeType, desiredOutcome, hasEvidence } = draft
  const texts: Record<Part, string> = {
    ...draft,
    disputeType: disputeTypeLabels[disputeType],
    desiredOutcome: desiredOutcome && desiredOutcomeLabels[desiredOutcome],
    files: hasEvidence ? fileNames.join(', ') : '',
    evidenceDescription: hasEvidence ? draft.evidenceDescription : '',
  }
  const parts = Object.keys(reasonHeadings) as Part[]
  return parts
    .filter((part) => texts[part] !== '')
    .map((part) => `${reasonHeadings[part]}: ${texts[part]}`)
    .join('\n\n')
}
