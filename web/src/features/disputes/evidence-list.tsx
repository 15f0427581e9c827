import type { DisputeEvidence } from '@sought/contract/disputes'
import { Download } from 'lucide-react'
import { formatDateTime } from '../../lib/dates.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { fileSize } from './evidence-files.ts'
import { type Parties, submitterWords } from './parties.ts'

interface EvidenceListProps {
  evidence: readonly DisputeEvidence[]
  parties: Parties
}

/** Everything that was brought, in the order in which it came. */
export function EvidenceList({ evidence, parties }: EvidenceListProps) {
  if (evidence.length === 0) return <p className="text-ink-soft">No evidence submitted yet</p>
  return (
    <ul aria-label="Evidence" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {evidence.map((piece) => (
        <li
          key={piece.id}
          className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-card border border-line bg-paper p-4"
        >
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
            <Badge tone="outline">{typeNames[piece.type] ?? piece.type}</Badge>
            <span className="font-strong text-ink">{submitterWords(parties, piece.submittedBy)}</span>
            <time dateTime={piece.createdAt}>{formatDateTime(piece.createdAt)}</time>
          </p>
          <Piece piece={piece} />
        </li>
      ))}
    </ul>
  )
}

const typeNames: Record<string, string | undefined> = {
  image: 'Image',
  document: 'Document',
  text: 'Statement',
}

function Piece({ piece }: { piece: DisputeEvidence }) {
  const { type, content, description, fileUrl, fileName, fileSize: bytes } = piece
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
            {bytes !== null && (
              <span className="shrink-0 whitespace-nowrap text-ink-soft tabular-nums">{fileSize(bytes)}</span>
            )}
          </a>
        </Button>
      )}
      {content && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{content}</p>}
      {description && <p className="text-ink-soft [overflow-wrap:anywhere]">{description}</p>}
    </>
  )
}
