import { paths } from '@sought/contract/paths'
import { defineNotification } from '../../notifications/define-notification.ts'
import { type Deal, otherParty, type Party, toOther, toParty } from '../../notifications/to-parties.ts'
import { openDesk, openDispute } from '../payments/notifications/links.ts'

const HOUR_MS = 3_600_000

export const disputeAnswered = defineNotification('dispute_answered', {
  to: (payment: Deal, by: string, evidenceId: number) => toOther(payment, by, { repeat: [evidenceId] }),
  title: ({ actorName, itemTitle }) => `${actorName} answered in the dispute about “${itemTitle}”`,
  text: 'Read the answer and reply if you like.',
  link: openDispute,
})

export const evidenceAdded = defineNotification('evidence_added', {
  kind: 'dispute_answered',
  // Files are uploaded one by one, so at most one notification per hour.
  to: (payment: Deal, by: string, now: Date) =>
    toOther(payment, by, { repeat: [Math.floor(now.getTime() / HOUR_MS)] }),
  title: ({ actorName, itemTitle }) => `${actorName} added evidence to the dispute about “${itemTitle}”`,
  text: 'Review it, and add your own evidence if you have any.',
  link: openDispute,
})

export const settlementProposed = defineNotification('settlement_proposed', {
  kind: 'dispute_answered',
  to: (payment: Deal, by: string, proposal: { refundCents: number; timelineId: number }) =>
    toOther(payment, by, { amount: proposal.refundCents, repeat: [proposal.timelineId] }),
  title: ({ actorName, itemTitle }) => `${actorName} proposes a settlement for “${itemTitle}”`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `You would get ${amount} back, and the rest would go to the seller. If you accept, the dispute ends right away.`
      : `${amount} would go back to the buyer, and the rest to you. If you accept, the dispute ends right away.`,
  link: openDispute,
})

export const appealReceived = defineNotification('appeal_received', {
  kind: 'dispute_appeal',
  to: (payment: Deal, party: Party, appealId: number) => toParty(party, payment, { repeat: [appealId] }),
  title: ({ itemTitle }) => `We received your appeal about “${itemTitle}”`,
  text: 'An admin who did not make the ruling reviews it. We’ll let you know what we decide.',
  link: openDispute,
})

export const appealByOther = defineNotification('appeal_by_other', {
  kind: 'dispute_appeal',
  to: (payment: Deal, by: string, appealId: number) => toOther(payment, by, { repeat: [appealId] }),
  title: ({ actorName, itemTitle }) => `${actorName} appealed against the ruling about “${itemTitle}”`,
  text: 'Whatever we decide, you keep what the ruling gave you.',
  link: openDispute,
})

type Admins = { userId: string }[]

export const appealWaiting = defineNotification('appeal_waiting', {
  kind: 'dispute_appeal',
  to: ({ id: paymentId, amount }: Deal, appealId: number, admins: Admins) =>
    admins.map(({ userId: to }) => ({ to, about: [appealId], paymentId, amount })),
  title: ({ itemTitle }) => `A party appealed against the ruling about “${itemTitle}”`,
  text: 'An admin who did not make the ruling has to decide.',
  link: () => ({ path: paths.adminAppeals(), action: 'Open the appeals' }),
})

interface DecidedAppeal {
  id: number
  party: Party
  /** The amount that the platform pays the appellant. */
  stakeCents: number
}

const toAppellant = (payment: Deal, { id, party, stakeCents }: DecidedAppeal) =>
  toParty(party, payment, { amount: stakeCents, repeat: [id] })

/** Does not reveal which admin decided. */
export const rulingUpheld = defineNotification('ruling_upheld', {
  kind: 'dispute_appeal',
  isAboutMoney: true,
  to: toAppellant,
  title: ({ itemTitle }) => `The ruling about “${itemTitle}” stays`,
  text: 'We reviewed your appeal and rejected it. You can read our reasons in the dispute.',
  link: openDispute,
})

/** Does not reveal which admin decided. */
export const rulingOverturned = defineNotification('ruling_overturned', {
  kind: 'dispute_appeal',
  isAboutMoney: true,
  to: toAppellant,
  title: ({ itemTitle }) => `Your appeal about “${itemTitle}” was granted`,
  text: ({ amountCents, amount }) =>
    [
      'The ruling was wrong.',
      amountCents > 0 && `You get ${amount} from us.`,
      'You can read our reasons in the dispute.',
    ]
      .filter(Boolean)
      .join(' '),
  link: openDispute,
})

export const appealClosed = defineNotification('appeal_closed', {
  kind: 'dispute_appeal',
  to: (payment: Deal, { id, party }: DecidedAppeal) => toParty(otherParty(party), payment, { repeat: [id] }),
  title: ({ itemTitle }) => `The appeal about “${itemTitle}” is decided`,
  text: 'You keep what the ruling gave you. You can read our decision in the dispute.',
  link: openDispute,
})

export const disputeAssigned = defineNotification('dispute_assigned', {
  kind: 'dispute_due',
  to: ({ id: paymentId, amount }: Deal, to: string, by: string, now: Date) => ({
    to,
    about: [paymentId, now.getTime()],
    by,
    paymentId,
    amount,
  }),
  title: ({ actorName, itemTitle }) => `${actorName} assigned the dispute about “${itemTitle}” to you`,
  text: 'Open the desk to see when the promised answer is due.',
  link: openDesk,
})

/** Keyed by the promised time, so that each reminder is sent once for each promise. */
const toAdmins = ({ id: paymentId, amount }: Deal, dueAt: Date, admins: Admins) =>
  admins.map(({ userId: to }) => ({ to, about: [paymentId, dueAt.getTime()], paymentId, amount }))

export const disputeDueSoon = defineNotification('dispute_due_soon', {
  kind: 'dispute_due',
  to: toAdmins,
  title: ({ itemTitle }) => `The dispute about “${itemTitle}” needs an answer soon`,
  text: 'The time that we promised to both parties ends in less than 4 hours.',
  link: openDesk,
})

export const disputeOverdue = defineNotification('dispute_overdue', {
  kind: 'dispute_due',
  to: toAdmins,
  title: ({ itemTitle }) => `The dispute about “${itemTitle}” is overdue`,
  text: 'The time that we promised to both parties has passed. Please decide now.',
  link: openDesk,
})

export const paymentHeldTooLong = defineNotification('payment_held_too_long', {
  kind: 'dispute_opened',
  to: ({ id, amount }: Pick<Deal, 'id' | 'amount'>, admins: Admins) =>
    admins.map(({ userId: to }) => ({ to, about: [id], paymentId: id, amount })),
  title: ({ itemTitle }) => `The payment for “${itemTitle}” has been in escrow for 80 days`,
  text: ({ amount }) =>
    `In most countries, Stripe lets us hold ${amount} for 90 days. Please decide on the desk soon.`,
  link: openDesk,
})
