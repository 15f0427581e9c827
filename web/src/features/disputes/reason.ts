import type { DisputeDraft } from '@sought/contract/dispute-draft'
import { outcomeLabels, typeLabels } from './options.ts'

const headings = {
  disputeType: 'Dispute type',
  reason: 'Reason',
  description: 'Description',
  attemptedResolution: 'Attempted resolution',
  desiredOutcome: 'Desired outcome',
  files: 'Evidence files',
  evidenceDescription: 'About the evidence',
  additionalComments: 'Additional comments',
} as const

/** The form as the one text that the server keeps (spec §7). What was left empty is left out. */
export function composeReason(draft: DisputeDraft, fileNames: readonly string[]): string {
  const { disputeType, desiredOutcome, hasEvidence } = draft
  const words: Record<keyof typeof headings, string> = {
    ...draft,
    disputeType: typeLabels[disputeType],
    desiredOutcome: desiredOutcome && outcomeLabels[desiredOutcome],
    files: hasEvidence ? fileNames.join(', ') : '',
    evidenceDescription: hasEvidence ? draft.evidenceDescription : '',
  }
  const parts = Object.keys(headings) as (keyof typeof headings)[]
  return parts
    .filter((part) => words[part] !== '')
    .map((part) => `${headings[part]}: ${words[part]}`)
    .join('\n\n')
}

export interface ReasonPart {
  /** None for what was not written in the form. */
  heading: string | null
  words: string
}

const HEADING = new RegExp(`^(${Object.values(headings).join('|')}): `)

/** The same text as its parts, to be shown. A blank line inside of a part does not end it. */
export function readReason(reason: string): ReasonPart[] {
  const parts: ReasonPart[] = []
  for (const paragraph of reason.split('\n\n')) {
    const heading = paragraph.match(HEADING)?.[1] ?? null
    const before = parts.at(-1)
    if (heading === null && before) before.words += `\n\n${paragraph}`
    else parts.push({ heading, words: heading === null ? paragraph : paragraph.slice(heading.length + 2) })
  }
  return parts
}
