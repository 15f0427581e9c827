import { readReason } from './reason.ts'

/** The reason in full, each part under its heading. */
export function ReasonText({ reason }: { reason: string | null }) {
  return (
    <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {readReason(reason ?? '').map(({ heading, words }) => (
        <div key={`${heading} ${words}`}>
          <dt className={heading ? 'text-fine text-ink-soft' : 'sr-only'}>{heading ?? 'Reason'}</dt>
          <dd className="whitespace-pre-line [overflow-wrap:anywhere]">{words}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The reason in a few lines, where there is no room for all of it. */
export function ReasonLines({ reason }: { reason: string | null }) {
  return (
    <p className="line-clamp-3 text-ink-soft [overflow-wrap:anywhere]">
      {readReason(reason ?? '').map(({ heading, words }) => (
        <span key={`${heading} ${words}`}>
          {heading && <span className="font-strong">{heading}:</span>} {words}{' '}
        </span>
      ))}
    </p>
  )
}
