import type { PublicUser } from '@sought/contract/accounts'
import type { DisputeEvidence } from '@sought/contract/disputes'
import { Download } from 'lucide-react'
import { formatDateTime } from '../../format/dates.ts'
import { formatFileSize } from '../../format/file-size.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { MarketName } from '../market/market-name.tsx'

interface Parties {
  buyer: PublicUser
  seller: PublicUser
}

interface EvidenceListProps {
  /** The oldest first. */
  evidence: readonly DisputeEvidence[]
  parties: Parties
}

export function EvidenceList({ evidence, parties }: EvidenceListProps) {
  if (evidence.length === 0) return <p className="text-ink-soft">No evidence submitted yet</p>
  return (
    <ul aria-label="Evidence" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {evidence.map((entry) => (
        <li
          key={entry.id}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-paper p-4"
        >
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
            <Badge tone="outline">{typeLabels[entry.type] ?? entry.type}</Badge>
            <span className="min-w-0 font-strong text-ink [overflow-wrap:anywhere]">
              {submitterName(parties, entry.submittedBy) ?? <MarketName />}
            </span>
            <time dateTime={entry.createdAt}>{formatDateTime(entry.createdAt)}</time>
          </p>
          <EvidenceContent entry={entry} />
        </li>
      ))}
    </ul>
  )
}

const typeLabels: Record<string, string | undefined> = {
  image: 'Image',
  document: 'Document',
  text: 'Statement',
}

/** Admins are shown as the market, so that the parties cannot learn their names. */
function submitterName({ buyer, seller }: Parties, submittedBy: string): string | null {
  if (submittedBy === buyer.id) return `${buyer.name}, buyer`
  if (submittedBy === seller.id) return `${seller.name}, seller`
  return null
}

function EvidenceContent({ entry }: { entry: DisputeEvidence }) {
  const { type, content, description, fileUrl, fileName, fileSize } = entry
  const name = fileName ?? 'file'
  return (
    <>
      {fileUrl && type === 'image' && (
        <a href={fileUrl} target="_blank" rel="noreferrer" className="justify-self-start">
          <img
            src={fileUrl}
            alt={description || name}
            loading="lazy"
            className="max-h-64 min-h-24 max-w-full rounded-card bg-sunken object-contain"
          />
        </a>
      )}
      {fileUrl && type !== 'image' && (
        <Button asChild variant="secondary" size="sm" className="max-w-full justify-self-start">
          <a href={fileUrl} download={name}>
            <Download aria-hidden="true" />
            <span className="min-w-0 truncate">Download {name}</span>
            {fileSize !== null && (
              <span className="shrink-0 whitespace-nowrap text-ink-soft tabular-nums">
                {formatFileSize(fileSize)}
              </span>
            )}
          </a>
        </Button>
      )}
      {content && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{content}</p>}
      {description && <p className="text-ink-soft [overflow-wrap:anywhere]">{description}</p>}
    </>
  )
}
