import type { ModerationAction } from '@sought/contract/moderation'
import type { ReportKind } from '@sought/contract/reports'
import { formatDate } from '../../format/dates.ts'
import type { BadgeTone } from '../../ui/display/badge.tsx'

export const decisionLabels = {
  hide: 'Hidden',
  restore: 'Restored',
  warn: 'Warning',
  restrict: 'Account restricted',
  suspend: 'Account suspended',
  dismiss: 'No action',
} as const satisfies Record<ModerationAction, string>

export const decisionTones = {
  hide: 'attention',
  restore: 'accent',
  warn: 'attention',
  restrict: 'danger',
  suspend: 'danger',
  dismiss: 'outline',
} as const satisfies Record<ModerationAction, BadgeTone>

interface Decision {
  action: ModerationAction
  kind: ReportKind
  /** The content in question, such as the title of a request. */
  about: string | null
  until: string | null
}

/** Messages and reviews have no title. They use the request's. */
function describeContent(kind: ReportKind, about: string | null): string {
  if (about === null) return `your ${kind}`
  return kind === 'request' ? `your request “${about}”` : `your ${kind} about “${about}”`
}

/** Describes the decision to the person concerned. */
export function describeDecision({ action, kind, about, until }: Decision): string {
  const content = describeContent(kind, about)
  const when = until === null ? 'permanently' : `until ${formatDate(until)}`
  switch (action) {
    case 'hide':
      return `We removed ${content}. Other people no longer see it.`
    case 'restore':
      return `We restored ${content}. Other people can see it again.`
    case 'warn':
      return `We warned you because of ${content}. If it happens again, we may restrict or suspend your account.`
    case 'restrict':
      return `We restricted your account ${when} because of ${content}. You cannot post requests, make offers or start conversations.`
    case 'suspend':
      return `We suspended your account ${when} because of ${content}. You can still read, finish open deals, receive your money and export your data.`
    case 'dismiss':
      return `We reviewed ${content} and found nothing wrong.`
  }
}
