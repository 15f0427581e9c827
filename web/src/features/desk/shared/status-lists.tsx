import { Fragment, type ReactNode } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { EmptyState, type EmptyStateProps } from '../../../ui/feedback/empty-state.tsx'
import { Chip } from '../../../ui/forms/chip.tsx'

/** The name of a status, and what its list says while it is empty. */
export interface StatusTexts {
  label: string
  emptyTitle: string
  emptyText: string
}

interface StatusListsProps<Status extends string> extends Pick<EmptyStateProps, 'drawing'> {
  /** The name of the chips for screen readers. */
  legend: string
  /** In the order of the chips. The first is shown at first. */
  statuses: Record<Status, StatusTexts>
  pathOf: (status: Status) => string
  children: (status: Status, empty: ReactNode) => ReactNode
}

/** A list for each status. The URL selects one of them. */
export function StatusLists<Status extends string>({
  legend,
  statuses,
  pathOf,
  drawing,
  children,
}: StatusListsProps<Status>) {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const names = Object.keys(statuses) as [Status, ...Status[]]
  const status = names.find((name) => name === query.get('status')) ?? names[0]
  const { emptyTitle, emptyText } = statuses[status]
  return (
    <>
      <fieldset className="mb-6 flex flex-wrap gap-2">
        <legend className="sr-only">{legend}</legend>
        {names.map((name) => (
          <Chip
            key={name}
            pressed={name === status}
            onClick={() => navigate(pathOf(name), { replace: true })}
          >
            {statuses[name].label}
          </Chip>
        ))}
      </fieldset>
      <Fragment key={status}>
        {children(
          status,
          <EmptyState drawing={drawing} title={emptyTitle}>
            {emptyText}
          </EmptyState>,
        )}
      </Fragment>
    </>
  )
}
