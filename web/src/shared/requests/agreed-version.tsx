import { listRequestVersions, type RequestVersion } from '@sought/contract/requests'
import { useRead } from '../../data/calls.ts'
import { formatBudget } from '../../format/budget.ts'
import { formatDateTime } from '../../format/dates.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Loaded } from '../loading/loaded.tsx'
import { Pictures } from './request-differences.tsx'

interface Props {
  itemId: number
  /** The version that a deal is about. */
  version: number
}

/** Opens the list of what the request has said, with the version of the deal. */
export function AgreedVersion({ itemId, version }: Props) {
  return (
    <Dialog
      title="Versions of the request"
      description={`The deal is about version ${version}, whatever the request says now.`}
      trigger={
        <button type="button" className="link">
          As agreed (version {version})
        </button>
      }
    >
      <Versions itemId={itemId} version={version} />
    </Dialog>
  )
}

function Versions({ itemId, version }: Props) {
  const versions = useRead(listRequestVersions, { params: { id: String(itemId) } })
  return (
    <Loaded query={versions} loading={<Skeleton className="h-64" />}>
      {(all) => (
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {all.map((it) => (
            <li key={it.version} className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-t pt-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
                Version {it.version} · <time dateTime={it.createdAt}>{formatDateTime(it.createdAt)}</time>
                {it.version === version && <Badge tone="accent">Agreed</Badge>}
              </div>
              <RequestText request={it} />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

function RequestText({ request }: { request: RequestVersion }) {
  const { title, description, category, currency, pictures } = request
  return (
    <>
      <h3 className="font-strong [overflow-wrap:anywhere]">{title}</h3>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{description}</p>
      <p className="text-fine text-ink-soft">
        {category} · {formatBudget(request, currency)}
      </p>
      {pictures.length > 0 && <Pictures pictures={pictures} />}
    </>
  )
}
