import { formatDateTime } from '../../../format/dates.ts'

interface AdminStep<Action extends string> {
  action: Action
  actor: string
  reference: string | null
  createdAt: string
}

/** Admins' steps, earliest first. */
export function AdminSteps<Action extends string>({
  steps,
  labels,
}: {
  steps: AdminStep<Action>[]
  labels: Record<Action, string>
}) {
  if (steps.length === 0) return null
  return (
    <ol aria-label="Steps" className="grid gap-1 text-fine text-ink-soft">
      {steps.map(({ action, actor, reference, createdAt }) => (
        <li key={createdAt} className="[overflow-wrap:anywhere]">
          <span className="font-strong text-ink">
            {labels[action]}
            {reference && `, reference ${reference}`}
          </span>{' '}
          · {actor} · <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
        </li>
      ))}
    </ol>
  )
}
