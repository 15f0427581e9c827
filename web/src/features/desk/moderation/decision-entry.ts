import { Timestamp } from '@sought/contract/fields'
import { Decision, type ModerationAction } from '@sought/contract/moderation'
import * as z from 'zod/mini'
import type { EntryForm } from '../../../shared/forms/entry-form.ts'
import { hasEnd } from './actions.ts'

/** How long restrictions and suspensions usually last. */
export const lengthLabels = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  date: 'Until a date',
  permanent: 'Permanently',
} as const

const DAY_MS = 86_400_000

interface End {
  action?: ModerationAction | undefined
  length: string
  date: string
}

/** Null if the decision has no end. A date means the end of that day, in the moderator's time zone. */
export function findEnd({ action, length, date }: End): Date | null {
  if (!action || !hasEnd(action) || length === 'permanent') return null
  return length === 'date' ? new Date(`${date}T23:59:59`) : new Date(Date.now() + Number(length) * DAY_MS)
}

/** The moderator's entries, with the end of the decision as a length or a day. */
export const DecisionEntry = z.pipe(
  z
    .object({
      action: Decision.shape.action,
      reason: Decision.shape.reason,
      length: z.string(),
      date: z.string(),
    })
    .check(
      z.refine(
        (entered) => {
          const end = findEnd(entered)
          return end === null || end > new Date()
        },
        { path: ['date'], error: 'Please choose a day in the future' },
      ),
    ),
  z.transform(({ action, reason, ...end }) => {
    const until = findEnd({ action, ...end })
    return { action, reason, ...(until && { until: Timestamp.parse(until.toISOString()) }) }
  }),
)

export const noDecision = { action: undefined, reason: '', length: '7', date: '' }

export type DecisionForm = EntryForm<z.input<typeof DecisionEntry>, z.output<typeof DecisionEntry>>
