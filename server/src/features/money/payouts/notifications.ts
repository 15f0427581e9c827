import { describePayoutFailure, findWhoEnables } from '@sought/contract/account-health'
import { paths } from '@sought/contract/paths'
import { eq, inArray } from 'drizzle-orm'
import { formatDate } from '../../../core/dates.ts'
import type { Db } from '../../../database/database.ts'
import { notifications, payoutAccounts } from '../../../database/schema.ts'
import { defineNotification, type NotificationFacts } from '../../notifications/define-notification.ts'

/** The seller has disconnected their account from ours. */
export const payoutAccountLost = defineNotification('payout_account_lost', {
  kind: 'payout_account',
  isAboutMoney: true,
  to: (to: string, accountId: string) => ({ to, about: [accountId] }),
  title: 'Your Stripe account was disconnected',
  text: 'We can no longer pay you there. Unpaid payouts wait until you set up payouts again.',
  link: () => ({ path: paths.sellerSetup(), action: 'Set up payouts' }),
})

/** The seller has set up no way to be paid. */
export const payoutUnclaimed = defineNotification('payout_unclaimed', {
  kind: 'funds_released',
  isAboutMoney: true,
  to: ({ sellerId: to, paymentId, amount }: UnclaimedPayout, days: number) => ({
    to,
    about: [paymentId, days],
    paymentId,
    amount,
  }),
  title: ({ amount, itemTitle }) => `${amount} for “${itemTitle}” is waiting for you`,
  text: ({ about }) =>
    `You earned it more than ${about[1]} days ago, but you haven’t set up payouts yet. It takes a few minutes.`,
  link: () => ({ path: paths.sellerSetup(), action: 'Set up payouts' }),
})

interface UnclaimedPayout {
  sellerId: string
  paymentId: number
  amount: number
}

interface ReadState {
  accountId: string
  readAt: Date
}

/** `deadline` is the earliest one. Not finite if there is none. */
export const requirementsDue = defineNotification('requirements_due', {
  kind: 'payout_account',
  isAboutMoney: true,
  to: (to: string, { accountId, readAt, deadline }: ReadState & { deadline: number }) => ({
    to,
    about: [accountId, readAt.getTime(), Number.isFinite(deadline) ? deadline : 0],
  }),
  load: findRequirements,
  title: (facts) => {
    const deadline = deadlineOf(facts)
    if (!deadline) return 'Stripe needs something from you'
    if (deadline <= facts.createdAt) return 'Stripe still needs something from you'
    return `Stripe needs something from you by ${formatDate(deadline)}`
  },
  text: (facts) => {
    const deadline = deadlineOf(facts)
    const isLate = deadline !== null && deadline <= facts.createdAt
    const until = deadline ? `The deadline ${isLate ? 'was' : 'is'} ${formatDate(deadline)}. ` : ''
    return `${until}Until Stripe has it, your payouts ${isLate ? 'can be' : 'may become'} paused. ${listNeeded(facts.details)}`
  },
  link: () => ({ path: paths.sellerSetup(), action: 'See what is needed' }),
})

export const payoutsDisabled = defineNotification('payouts_disabled', {
  kind: 'payout_account',
  isAboutMoney: true,
  to: (to: string, { accountId, readAt, disabledReason }: ReadState & { disabledReason: string | null }) => ({
    to,
    about: [accountId, readAt.getTime(), disabledReason ?? ''],
  }),
  load: findRequirements,
  title: 'Your payouts are paused',
  text: ({ about, details }) =>
    `${disabledTexts[findWhoEnables(about[2] || null)]} ${listNeeded(details)}`.trim(),
  link: () => ({ path: paths.sellerSetup(), action: 'See your payouts' }),
})

export const payoutFailedAtBank = defineNotification('payout_failed_at_bank', {
  kind: 'payout_account',
  isAboutMoney: true,
  to: (to: string, { id, failure }: { id: string; failure: string | null }) => ({
    to,
    about: [id, failure ?? ''],
  }),
  title: 'Your bank returned a payout',
  text: ({ about }) =>
    `${describePayoutFailure(about[1] ?? null)} The money is safe in your Stripe account. Correct your bank account there, and Stripe sends it again with the next payout.`,
  link: () => ({ path: paths.sellerSetup(), action: 'Correct your bank account' }),
})

const disabledTexts = {
  'by seller':
    'Stripe has paused payouts from your account. Your money is safe. Give Stripe what it needs to go on.',
  'by provider':
    'Stripe is reviewing your account. Your money is safe, and you do not need to do anything now.',
  'by operator': 'We have paused payouts from your account. Please contact our support team.',
  never: 'Stripe has closed your account for payouts. Please contact our support team.',
} as const

function deadlineOf({ about: [, , deadline = '0'] }: NotificationFacts): Date | null {
  return deadline === '0' ? null : new Date(Number(deadline))
}

/** What the provider needs now, which may have become less since the notification. */
const listNeeded = (needed: string[] | null): string => [...new Set(needed)].join(' ')

async function findRequirements(db: Db, ids: number[]): Promise<Map<number, string[]>> {
  const found = await db
    .select({ id: notifications.id, requirements: payoutAccounts.requirements })
    .from(notifications)
    .innerJoin(payoutAccounts, eq(payoutAccounts.userId, notifications.userId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map(({ id, requirements }) => [id, requirements.map(({ what }) => what)]))
}
