import type { Picture, RequestVersion } from '@sought/contract/requests'
import type { ReactNode } from 'react'
import { formatBudget } from '../../format/budget.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'

interface Props {
  before: RequestVersion
  after: RequestVersion
}

const fields = ['title', 'description', 'category', 'budget', 'pictures'] as const
type Field = (typeof fields)[number]

const labels: Record<Field, string> = {
  title: 'Title',
  description: 'Description',
  category: 'Category',
  budget: 'Budget',
  pictures: 'Pictures',
}

function contentOf(request: RequestVersion, field: Field): string {
  if (field === 'budget') return JSON.stringify([request.minBudget, request.maxBudget, request.currency])
  if (field === 'pictures') return JSON.stringify(request.pictures.map(({ url, alt }) => [url, alt]))
  return request[field]
}

/** The fields that differ. Empty if an edit was taken back. */
export const listDifferences = ({ before, after }: Props): Field[] =>
  fields.filter((field) => contentOf(before, field) !== contentOf(after, field))

/** Shows what has changed, field by field. */
export function RequestDifferences({ before, after }: Props) {
  const show = (request: RequestVersion, field: Field): ReactNode => {
    if (field === 'budget') return formatBudget(request, request.currency)
    if (field === 'pictures') return <Pictures pictures={request.pictures} />
    return request[field]
  }
  return (
    <DefinitionList
      stacked
      className="text-fine"
      rows={listDifferences({ before, after }).map((field) => ({
        key: field,
        label: labels[field],
        value: (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1 whitespace-pre-line">
            <div className="text-ink-soft">
              <span className="font-strong">Before:</span> {show(before, field)}
            </div>
            <div>
              <span className="font-strong">After:</span> {show(after, field)}
            </div>
          </div>
        ),
      }))}
    />
  )
}

export function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  if (pictures.length === 0) return 'None'
  return (
    <span className="mt-1 flex flex-wrap gap-2">
      {pictures.map(({ url, alt }) => (
        <img key={url} src={url} alt={alt} className="size-14 rounded-card bg-sunken object-cover" />
      ))}
    </span>
  )
}
