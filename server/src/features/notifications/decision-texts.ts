import type { ModerationAction } from '@sought/contract/moderation'
import type { ReportKind } from '@sought/contract/reports'

export interface DecisionFacts {
  action: ModerationAction
  kind: ReportKind
  reason: string
  until: Date | null
  appealAnswer: string | null
}

/** How the text addresses the content of its recipient. */
const nameOf = (kind: ReportKind, itemTitle: string) =>
  ({
    request: `your request “${itemTitle}”`,
    message: 'one of your messages',
    profile: 'the text and picture of your profile',
    review: 'one of your reviews',
    picture: 'one of your pictures',
  })[kind]

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Includes the reason, which the person must be given. */
export function decisionText(decision: DecisionFacts | null, itemTitle: string) {
  if (!decision) return { title: 'A decision of our moderators', text: 'You can read it in your profile.' }
  const { action, kind, reason, until } = decision
  const end = until ? ` until ${days.format(until)}` : ''
  const content = nameOf(kind, itemTitle)
  const appeal = 'If you disagree, you can appeal once in your profile.'
  switch (action) {
    case 'hide':
      return { title: `We removed ${content}`, text: `Reason: ${reason}\n\n${appeal}` }
    case 'restore':
      return { title: `We restored ${content}`, text: reason }
    case 'warn':
      return { title: 'A warning from our moderators', text: `${reason}\n\n${appeal}` }
    case 'restrict':
      return {
        title: `Your account is restricted${end}`,
        text: `You cannot post requests, make offers or start conversations. Reason: ${reason}\n\n${appeal}`,
      }
    case 'suspend':
      return {
        title: `Your account is suspended${end}`,
        text: `You can still read, finish open deals, receive your money and export your data. Reason: ${reason}\n\n${appeal}`,
      }
    case 'dismiss':
      return { title: 'Our moderators closed a case', text: reason }
  }
}
