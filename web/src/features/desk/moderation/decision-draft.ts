import type { BodyOf } from '@sought/contract/call'
import type { Timestamp } from '@sought/contract/fields'
import {
  DECISION_REASON_MAX_LENGTH,
  type decideCase,
  type ModerationAction,
} from '@sought/contract/moderation'
import { useState } from 'react'
import { hasEnd } from './actions.ts'

/** How long restrictions and suspensions usually last. */
export const lengthLabels = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  date: 'Until a date',
  permanent: 'Permanently',
} as const
type Length = keyof typeof lengthLabels

const noErrors = { action: undefined, date: undefined, reason: undefined }

const DAY_MS = 86_400_000

export type DecisionBody = BodyOf<typeof decideCase>

/** The moderator's entries so far. */
export function useDecisionDraft(now: () => Date = () => new Date()) {
  const [action, setAction] = useState<ModerationAction | null>(null)
  const [length, setLength] = useState<Length>('7')
  const [date, setDate] = useState('')
  const [reason, setReason] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)

  const until = action && hasEnd(action) ? findEnd(length, date, now()) : null
  const errors = {
    action: action ? undefined : 'Please choose an action',
    date: until === 'invalid' ? 'Please choose a day in the future' : undefined,
    reason: reason.trim() ? undefined : 'Please write a reason',
  }
  return {
    action,
    setAction,
    length,
    setLength: (value: string) => {
      if (value in lengthLabels) setLength(value as Length)
    },
    date,
    setDate,
    reason,
    setReason: (text: string) => setReason(text.slice(0, DECISION_REASON_MAX_LENGTH)),
    until: until === 'invalid' ? null : until,
    /** Shown only after the moderator has tried to submit. */
    errors: isSubmitted ? errors : noErrors,
    /** The body to send. Null if something is missing. The fields then show what. */
    submit: (): DecisionBody | null => {
      setIsSubmitted(true)
      if (!action || errors.date || errors.reason) return null
      return { action, reason: reason.trim(), ...(until && { until: until as Timestamp }) }
    },
  }
}

export type DecisionDraft = ReturnType<typeof useDecisionDraft>

/** Null if it has no end. A date means the end of that day, in the moderator's time zone. */
function findEnd(length: Length, date: string, now: Date): string | null | 'invalid' {
  if (length === 'permanent') return null
  if (length !== 'date') return new Date(now.getTime() + Number(length) * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59`)
  return end > now ? end.toISOString() : 'invalid'
}
