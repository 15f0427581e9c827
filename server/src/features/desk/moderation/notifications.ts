import { paths } from '@sought/contract/paths'
import type { ReportKind } from '@sought/contract/reports'
import { formatDate } from '../../../core/dates.ts'
import { removeDirectionMarks } from '../../../core/direction-marks.ts'
import { defineNotification, type NotificationFacts } from '../../notifications/define-notification.ts'
import type { AnnouncedDecision } from './queries.ts'
import * as queries from './queries.ts'

interface Decision {
  id: number
  personId: string
}

const viewDecision = () => ({ path: paths.profile({ tab: 'decisions' }), action: 'View the decision' })

/** The text is composed from the decision and names the request. */
export const decisionMade = defineNotification('decision', {
  kind: 'moderation',
  to: ({ id, personId: to }: Decision, wantedItemId: number | null) => ({
    to,
    about: [id],
    ...(wantedItemId && { wantedItemId }),
  }),
  load: queries.findAnnouncedDecisions,
  title: (facts) => describeDecision(facts).title,
  text: (facts) => describeDecision(facts).text,
  link: viewDecision,
})

const toPerson = ({ id, personId: to }: Decision) => ({ to, about: [id] })

export const appealGranted = defineNotification('appeal_granted', {
  kind: 'moderation',
  to: toPerson,
  load: queries.findAnnouncedDecisions,
  title: 'Your appeal was granted',
  text: ({ details }) => `We have undone the decision. ${details?.appealAnswer ?? ''}`.trim(),
  link: viewDecision,
})

export const appealRejected = defineNotification('appeal_rejected', {
  kind: 'moderation',
  to: toPerson,
  load: queries.findAnnouncedDecisions,
  title: 'Your appeal was rejected',
  text: ({ details }) => `The decision stays. ${details?.appealAnswer ?? ''}`.trim(),
  link: viewDecision,
})

/** How the text refers to the recipient's content. Recipients may read the title of their own hidden request. */
const nameOf = (kind: ReportKind, title: string) =>
  ({
    request: `your request “${removeDirectionMarks(title)}”`,
    message: 'one of your messages',
    profile: 'the text and picture of your profile',
    review: 'one of your reviews',
    picture: 'one of your pictures',
  })[kind]

/** Includes the reason, which the person must be given. */
function describeDecision({ details, item }: NotificationFacts<AnnouncedDecision>) {
  if (!details) return { title: 'A decision of our moderators', text: 'You can read it in your profile.' }
  const { action, kind, reason, until } = details
  const end = until ? ` until ${formatDate(until)}` : ''
  const content = nameOf(kind, item?.title ?? '')
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
