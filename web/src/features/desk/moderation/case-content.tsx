import type { ModerationCase } from '@sought/contract/moderation'
import { ExternalLink } from 'lucide-react'
import { formatDateTime } from '../../../format/dates.ts'
import { reportReasonLabels } from '../../../shared/reports/report-reasons.ts'
import { SupportMessageCard } from '../../../shared/support/support-message.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'

type Content = NonNullable<ModerationCase['content']>

/** The reported content, with the messages around it. */
export function CaseContent({ case: { kind, content } }: { case: ModerationCase }) {
  if (!content) return <p className="text-ink-soft">This {kind} no longer exists.</p>
  const { title, text, pictures, path, isHidden, context } = content
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {isHidden && (
        <p>
          <Badge tone="attention">Hidden</Badge>
        </p>
      )}
      {title && <p className="font-strong text-lead [overflow-wrap:anywhere]">{title}</p>}
      {context.length > 0 ? (
        <Context context={context} />
      ) : (
        text && (
          <p className="max-h-96 overflow-y-auto whitespace-pre-line rounded-card bg-sunken p-4 [overflow-wrap:anywhere]">
            {text}
          </p>
        )
      )}
      <Pictures pictures={pictures} />
      {path && (
        <p>
          <a
            href={path}
            target="_blank"
            rel="noreferrer"
            className="link inline-flex items-center gap-1.5 text-fine"
          >
            Open the page
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        </p>
      )}
    </div>
  )
}

function Context({ context }: Pick<Content, 'context'>) {
  return (
    <ul aria-label="Conversation" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {context.map(({ by, text, isReported, createdAt }) => (
        <SupportMessageCard
          key={`${createdAt}${by.id}`}
          look={isReported ? 'flagged' : 'question'}
          author={
            <span className="inline-flex max-w-full flex-wrap items-center gap-2">
              {by.name}
              {isReported && <Badge tone="danger">Reported</Badge>}
            </span>
          }
          content={text}
          createdAt={createdAt}
        />
      ))}
    </ul>
  )
}

function Pictures({ pictures }: Pick<Content, 'pictures'>) {
  if (pictures.length === 0) return null
  return (
    <p className="flex flex-wrap gap-2">
      {pictures.map((url, index) => (
        <a key={url} href={url} target="_blank" rel="noreferrer">
          <img
            src={url}
            alt={`Number ${index + 1} of ${pictures.length}`}
            loading="lazy"
            className="h-32 w-auto max-w-full rounded-control object-cover"
          />
        </a>
      ))}
    </p>
  )
}

export function CaseReports({ reports }: Pick<ModerationCase, 'reports'>) {
  if (reports.length === 0) return <p className="text-ink-soft">There are no reports.</p>
  return (
    <ul aria-label="Reports" className="border-line border-b">
      {reports.map(({ reason, note, by, createdAt }) => (
        <li
          key={`${createdAt}${by?.id}`}
          className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-t py-3"
        >
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-strong">{reportReasonLabels[reason]}</span>
            <time dateTime={createdAt} className="text-fine text-ink-soft">
              {formatDateTime(createdAt)}
            </time>
          </p>
          {note && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>}
          <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">
            {by ? (
              <>
                By <DeskPersonLink person={by} />
              </>
            ) : (
              'By our automatic checks'
            )}
          </p>
        </li>
      ))}
    </ul>
  )
}
