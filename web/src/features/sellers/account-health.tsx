import { describePayoutFailure, findWhoEnables } from '@sought/contract/account-health'
import type { ReplyOf } from '@sought/contract/call'
import { formatBankAmount } from '@sought/contract/money'
import type { getStripeConnectStatus } from '@sought/contract/sellers'
import { ExternalLink } from 'lucide-react'
import { formatDate } from '../../format/dates.ts'
import { bankPayoutStates } from '../../shared/payouts/bank-payout-states.ts'
import { Notice, type NoticeProps } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import type { ConnectStatus } from './status.ts'

type Status = ReplyOf<typeof getStripeConnectStatus>
type Payout = NonNullable<Status['lastPayout']>

interface Health {
  tone: NonNullable<NoticeProps['tone']>
  title: string
  text: string
  /** Whether the seller can do something at the provider. */
  isUpToSeller: boolean
}

/** The state of a connected account: what is needed until when, how to fix it, and the last payout to the bank. */
export function AccountHealth({ status }: { status: ConnectStatus }) {
  const { data } = status
  const health = data && findHealth(data, Date.now())
  if (!data || !health) return null
  const { tone, title, text, isUpToSeller } = health
  return (
    <Notice
      tone={tone}
      title={title}
      action={
        isUpToSeller &&
        data.loginUrl && <FixButton url={data.loginUrl} onOpen={() => void status.refetch()} />
      }
    >
      <div className="grid gap-2">
        <p>{text}</p>
        <Needed requirements={data.requirements} />
        {data.lastPayout && <LastPayout payout={data.lastPayout} />}
      </div>
    </Notice>
  )
}

/** Null if the onboarding is not finished: the screen then says how to go on. */
export function findHealth(status: Status, now: number): Health | null {
  const { hasAccount, canReceivePayments, requirements, disabledReason, lastPayout, loginUrl, closedAt } =
    status
  if (!hasAccount) return closedAt ? closed(closedAt) : null
  if (!canReceivePayments && !loginUrl) return null
  const deadlines = requirements.flatMap(({ deadline }) => (deadline ? [deadline] : [])).toSorted()
  if (lastPayout?.status === 'failed') return failedAtBank(lastPayout)
  if (disabledReason && findWhoEnables(disabledReason) !== 'by seller') return disabledBy(disabledReason)
  if (!canReceivePayments) return PAUSED
  if (requirements.length > 0) return needs(deadlines[0], now)
  return FINE
}

const closed = (at: string): Health => ({
  tone: 'danger',
  title: `Your Stripe account was closed or disconnected on ${formatDate(at)}`,
  text: 'We keep the money that is owed to you until you set up payouts again.',
  isUpToSeller: false,
})

const failedAtBank = ({ failure, amount, currency }: Payout): Health => ({
  tone: 'danger',
  title: `Your bank returned ${formatBankAmount(amount, currency)}`,
  text: `${describePayoutFailure(failure)} The money is safe in your Stripe account. Correct your bank account at Stripe, and Stripe sends it again with the next payout.`,
  isUpToSeller: true,
})

function disabledBy(reason: string): Health {
  switch (findWhoEnables(reason)) {
    case 'by provider':
      return {
        tone: 'info',
        title: 'Stripe is reviewing your account',
        text: 'Payouts wait until the review is done. You do not need to do anything.',
        isUpToSeller: false,
      }
    case 'by operator':
      return {
        tone: 'warning',
        title: 'We have paused your payouts',
        text: 'Your money is safe. Please contact our support team.',
        isUpToSeller: false,
      }
    default:
      return {
        tone: 'danger',
        title: 'Stripe has closed your account for payouts',
        text: 'Your money is safe. Please contact our support team, or enter your bank details below.',
        isUpToSeller: false,
      }
  }
}

const PAUSED: Health = {
  tone: 'danger',
  title: 'Your payouts are paused',
  text: 'We keep the money that is owed to you until Stripe has what it needs.',
  isUpToSeller: true,
}

function needs(deadline: string | undefined, now: number): Health {
  const isLate = deadline !== undefined && Date.parse(deadline) <= now
  return {
    tone: 'warning',
    title:
      deadline && !isLate
        ? `Stripe needs something from you by ${formatDate(deadline)}`
        : 'Stripe needs something from you',
    text: 'You are still paid. Until Stripe has it, your payouts may become paused.',
    isUpToSeller: true,
  }
}

const FINE: Health = {
  tone: 'success',
  title: 'Ready to be paid',
  text: 'Released payments are sent to your connected account automatically.',
  isUpToSeller: false,
}

/** Several fields of the provider may mean the same for the seller. */
function Needed({ requirements }: Pick<Status, 'requirements'>) {
  const needed = new Map(requirements.map((it) => [it.what, it]))
  if (needed.size === 0) return null
  return (
    <ul className="list-disc pl-5">
      {[...needed.values()].map(({ what, deadline }) => (
        <li key={what}>
          {what}
          {deadline && <span className="text-fine text-ink-soft"> Until {formatDate(deadline)}.</span>}
        </li>
      ))}
    </ul>
  )
}

function LastPayout({ payout: { status, amount, currency, arrivalDate } }: { payout: Payout }) {
  return (
    <p className="text-fine text-ink-soft">
      Last payout to your bank: {formatBankAmount(amount, currency)}, {bankPayoutStates[status]}{' '}
      {formatDate(arrivalDate)}.
    </p>
  )
}

/** The link works once, so another one is fetched for the next time. */
function FixButton({ url, onOpen }: { url: string; onOpen: () => void }) {
  return (
    <Button asChild size="sm">
      <a href={url} target="_blank" rel="noreferrer" onClick={onOpen}>
        Open Stripe
        <ExternalLink aria-hidden="true" />
      </a>
    </Button>
  )
}
