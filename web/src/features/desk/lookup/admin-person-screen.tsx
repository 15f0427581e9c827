import { describePayoutFailure } from '@sought/contract/account-health'
import { getPerson, type PersonDetails } from '@sought/contract/lookup'
import { formatBankAmount } from '@sought/contract/money'
import { paths } from '@sought/contract/paths'
import type { PayoutAccount } from '@sought/contract/sellers'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { plural } from '../../../format/plural.ts'
import { ErrorPage } from '../../../shared/loading/error-page.tsx'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { decisionLabels } from '../../../shared/moderation/moderation-decision.ts'
import { BackTo } from '../../../shared/navigation/back-button.tsx'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { bankPayoutStates } from '../../../shared/payouts/bank-payout-states.ts'
import { debtReasons } from '../../../shared/payouts/debt-reasons.ts'
import { describeDebt } from '../../../shared/payouts/debt-state.ts'
import { ticketBadges } from '../../../shared/support/ticket-status.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { DealList, RequestList } from './found-lists.tsx'
import { PersonTimeline } from './person-timeline.tsx'
import { ToLookup } from './to-lookup.tsx'

export function AdminPersonScreen() {
  const { id } = useParams<{ id: string }>()
  const person = useRead(getPerson, { params: { id } })
  return (
    <Loaded query={person} notFound={<NoPerson />} back={<ToLookup />}>
      {(it) => <Person person={it} />}
    </Loaded>
  )
}

function NoPerson() {
  return (
    <ErrorPage title="Person not found" action={<ToLookup />}>
      Nobody has this id. Search for a name or an email address.
    </ErrorPage>
  )
}

function Person({ person }: { person: PersonDetails }) {
  const { id, name, email, createdAt } = person
  return (
    <Page
      title={name}
      heading={<span className="[overflow-wrap:anywhere]">{name}</span>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine">
          <Standing person={person} />
          <span className="[overflow-wrap:anywhere]">{email ?? 'No email'}</span>
          <span>Member since {formatDate(createdAt)}</span>
        </span>
      }
      back={<BackTo href={paths.adminLookup()}>Lookup</BackTo>}
      actions={
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          <TextLink to={paths.user(id)}>Public profile</TextLink>
          <TextLink to={paths.adminAuditLog({ userId: id })}>Audit log</TextLink>
        </div>
      }
    >
      <Tabs
        label="About the person"
        tabs={[
          { value: 'overview', label: 'Overview', content: <Overview person={person} /> },
          { value: 'timeline', label: 'Timeline', content: <PersonTimeline person={person} /> },
          { value: 'deals', label: 'Deals', content: <Deals person={person} /> },
          { value: 'requests', label: 'Requests', content: <Requests person={person} /> },
          { value: 'casework', label: 'Casework', content: <Casework person={person} /> },
        ]}
      />
    </Page>
  )
}

function Standing({ person }: { person: PersonDetails }) {
  const { deletedAt, suspendedUntil, restrictedUntil, role } = person
  const isInForce = (until: string | null) => until !== null && Date.parse(until) > Date.now()
  return (
    <>
      {deletedAt && <Badge tone="outline">Deleted</Badge>}
      {isInForce(suspendedUntil) && <Badge tone="danger">Suspended</Badge>}
      {isInForce(restrictedUntil) && <Badge tone="danger">Restricted</Badge>}
      {role && <Badge tone="accent">{role}</Badge>}
    </>
  )
}

const payoutMethods = { none: 'Not set up', transfer: 'By transfer', manual: 'To a bank account' } as const

function Overview({ person }: { person: PersonDetails }) {
  const { id, location, rating, figures, verification, profileHiddenAt } = person
  const { payoutAccount, debts, relatedAccounts } = person
  const { email, phone, secondFactor, payouts, payoutsWaitUntil } = verification
  const yesOrNo = (is: boolean) => (is ? 'Yes' : 'No')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:grid-cols-2">
      <TitledSection title="Account">
        <DefinitionList
          className="[overflow-wrap:anywhere]"
          rows={[
            { label: 'Id', value: id },
            { label: 'Location', value: location ?? 'Unknown' },
            { label: 'Email verified', value: yesOrNo(email) },
            { label: 'Phone verified', value: yesOrNo(phone) },
            { label: 'Second factor', value: yesOrNo(secondFactor) },
            { label: 'Payouts', value: payoutMethods[payouts] },
            payoutsWaitUntil && { label: 'Payouts wait until', value: formatDateTime(payoutsWaitUntil) },
            profileHiddenAt && { label: 'Profile hidden', value: formatDate(profileHiddenAt) },
          ]}
        />
      </TitledSection>
      <TitledSection title="Figures">
        <DefinitionList
          figures
          rows={[
            { label: 'Requests', value: figures.requests },
            { label: 'Offers made', value: figures.offers },
            { label: 'Bought', value: figures.bought },
            { label: 'Sold', value: figures.sold },
            { label: 'Deals with a dispute', value: figures.disputes },
            { label: 'Reviews received', value: figures.reviews },
            { label: 'Rating', value: rating === 0 ? 'None' : rating.toFixed(1) },
          ]}
        />
      </TitledSection>
      {payoutAccount && (
        <TitledSection title="Payout account">
          <PayoutAccountState account={payoutAccount} />
        </TitledSection>
      )}
      {debts.length > 0 && (
        <TitledSection title="Debts to the market">
          <ul className="grid gap-2">
            {debts.map((debt) => (
              <li key={debt.id}>
                <TextLink to={paths.adminDeal(debt.paymentId)}>{debtReasons[debt.reason]}</TextLink>:{' '}
                {formatMoney(debt.amount, debt.currency)}{' '}
                <span className="text-fine text-ink-soft">{describeDebt(debt)}</span>
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
      {relatedAccounts.length > 0 && (
        <TitledSection title="Related accounts">
          <ul className="grid gap-2">
            {relatedAccounts.map(({ user, shares }) => (
              <li key={user.id} className="[overflow-wrap:anywhere]">
                <Link className="link font-strong" href={paths.adminPerson(user.id)}>
                  {user.name}
                </Link>
                , same {shares.join(', ').replaceAll('_', ' ')}
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
    </div>
  )
}

/** What the provider said about the connected account when it was last asked. */
function PayoutAccountState({ account }: { account: PayoutAccount }) {
  const { canReceivePayments, disabledReason, requirements, lastPayout, readAt, closedAt } = account
  return (
    <DefinitionList
      className="[overflow-wrap:anywhere]"
      rows={[
        { label: 'Can be paid', value: canReceivePayments ? 'Yes' : 'No' },
        disabledReason && { label: 'Disabled', value: disabledReason },
        ...requirements.map(({ field, what, deadline }) => ({
          key: field,
          label: 'Needed',
          value: deadline ? `${what} Until ${formatDate(deadline)}.` : what,
        })),
        lastPayout && { label: 'Last payout to the bank', value: describeBankPayout(lastPayout) },
        closedAt && { label: 'Closed', value: formatDateTime(closedAt) },
        { label: 'Last read', value: readAt ? formatDateTime(readAt) : 'Not yet' },
      ]}
    />
  )
}

function describeBankPayout({
  status,
  failure,
  amount,
  currency,
  arrivalDate,
}: NonNullable<PayoutAccount['lastPayout']>): string {
  const payout = `${formatBankAmount(amount, currency)}, ${bankPayoutStates[status]} ${formatDate(arrivalDate)}.`
  return status === 'failed' ? `${payout} ${describePayoutFailure(failure)}` : payout
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-ink-soft">{children}</p>

function Deals({ person }: { person: PersonDetails }) {
  return person.deals.length > 0 ? <DealList deals={person.deals} /> : <Nothing>No deals yet.</Nothing>
}

function Requests({ person }: { person: PersonDetails }) {
  return person.requests.length > 0 ? (
    <RequestList requests={person.requests} />
  ) : (
    <Nothing>No requests yet.</Nothing>
  )
}

function Casework({ person: { tickets, cases, decisions } }: { person: PersonDetails }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      <TitledSection title="Tickets">
        {tickets.length === 0 && <Nothing>No tickets.</Nothing>}
        <ul className="grid gap-3">
          {tickets.map(({ id, subject, status, createdAt }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3 [overflow-wrap:anywhere]">
              <Link className="link font-strong" href={paths.adminTicket(id)}>
                {subject}
              </Link>
              <Badge tone={ticketBadges[status].tone}>{ticketBadges[status].deskLabel}</Badge>
              <span className="text-fine text-ink-soft">{formatDate(createdAt)}</span>
            </li>
          ))}
        </ul>
      </TitledSection>
      <TitledSection title="Reports and decisions">
        {cases.length + decisions.length === 0 && <Nothing>No reports or decisions.</Nothing>}
        <ul className="grid gap-3">
          {cases.map(({ id, kind, status, reports, createdAt }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3">
              {status === 'open' ? (
                <Link className="link font-strong" href={paths.adminModeration({ case: id })}>
                  Case #{id}
                </Link>
              ) : (
                <span className="font-strong">Case #{id}</span>
              )}
              <span>
                {kind}, {plural(reports, 'report')}
              </span>
              <span className="text-fine text-ink-soft">{formatDate(createdAt)}</span>
            </li>
          ))}
          {decisions.map(({ id, action, reason, createdAt }) => (
            <li key={`decision-${id}`} className="[overflow-wrap:anywhere]">
              <span className="font-strong">{decisionLabels[action]}</span>: {reason}{' '}
              <span className="text-fine text-ink-soft">{formatDate(createdAt)}</span>
            </li>
          ))}
        </ul>
      </TitledSection>
    </div>
  )
}
