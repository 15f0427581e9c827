/** The headings that the dispute form puts before each part when it composes one text. */
export const reasonHeadings = {
  disputeType: 'Dispute type',
  reason: 'Reason',
  description: 'Description',
  attemptedResolution: 'Attempted resolution',
  desiredOutcome: 'Desired outcome',
  files: 'Evidence files',
  evidenceDescription: 'About the evidence',
  additionalComments: 'Additional comments',
} as const

interface ReasonPart {
  /** Null for text that was not composed by the form. */
  heading: string | null
  text: string
}

const HEADING = new RegExp(`^(${Object.values(reasonHeadings).join('|')}): `)

/** Splits a reason at its headings. A paragraph without a heading belongs to the part before it. */
export function splitReason(reason: string): ReasonPart[] {
  const parts: ReasonPart[] = []
  for (const paragraph of reason.split('\n\n')) {
    const heading = paragraph.match(HEADING)?.[1] ?? null
    const previous = parts.at(-1)
    if (heading === null && previous) previous.text += `\n\n${paragraph}`
    else parts.push({ heading, text: heading === null ? paragraph : paragraph.slice(heading.length + 2) })
  }
  return parts
}

/** The whole reason, each part under its heading. */
export function ReasonText({ reason }: { reason: string | null }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {splitReason(reason ?? '').map(({ heading, text }) => (
        <div key={`${heading} ${text}`}>
          <dt className={heading ? 'text-fine text-ink-soft' : 'sr-only'}>{heading ?? 'Reason'}</dt>
          <dd className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The reason, cut off after three lines. */
export function ReasonExcerpt({ reason }: { reason: string | null }) {
  return (
    <p className="line-clamp-3 text-ink-soft [overflow-wrap:anywhere]">
      {splitReason(reason ?? '').map(({ heading, text }) => (
        <span key={`${heading} ${text}`}>
          {heading && <span className="font-strong">{heading}:</span>} {text}{' '}
        </span>
      ))}
    </p>
  )
}
