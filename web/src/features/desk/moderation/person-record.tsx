import type { ModerationCase } from '@sought/contract/moderation'
import type { ReactNode } from 'react'
import { formatDate } from '../../../format/dates.ts'
import { decisionLabels, decisionTones } from '../../../shared/moderation/moderation-decision.ts'
import { reportKindLabels } from '../../../shared/reports/report-reasons.ts'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'

type Person = NonNullable<ModerationCase['person']>

const shareLabels = {
  card: 'card',
  bank_account: 'bank account',
  device: 'device',
  address: 'delivery address',
} as const

const joinWords = new Intl.ListFormat('en', { type: 'conjunction' })

/** The person responsible for the content, and their history. */
export function PersonRecord({ person }: { person: Person }) {
  const { user, memberSince, completedDeals, lostDisputes, reports, isRestricted, isSuspended } = person
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-center gap-3">
        <Avatar name={user.name} imageUrl={user.profileImageUrl} />
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <DeskPersonLink person={user} className="link min-w-0 font-strong [overflow-wrap:anywhere]" />
          {isSuspended && <Badge tone="danger">Suspended</Badge>}
          {isRestricted && <Badge tone="attention">Restricted</Badge>}
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-fine sm:grid-cols-4">
        <Fact label="Member since">{formatDate(memberSince)}</Fact>
        <Fact label="Completed deals">{completedDeals}</Fact>
        <Fact label="Lost disputes">{lostDisputes}</Fact>
        <Fact label="Reports so far">{reports}</Fact>
      </dl>
      <Decisions decisions={person.decisions} />
      <Related related={person.related} />
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-ink-soft">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

function Decisions({ decisions }: Pick<Person, 'decisions'>) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h4 className="font-strong">Past decisions</h4>
      {decisions.length === 0 ? (
        <p className="text-ink-soft">None</p>
      ) : (
        <ul aria-label="Past decisions" className="border-line border-b">
          {decisions.map(({ id, action, kind, reason, until, createdAt }) => (
            <li key={id} className="grid grid-cols-[minmax(0,1fr)] gap-1 border-line border-t py-3">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
                <Badge tone={decisionTones[action]}>{decisionLabels[action]}</Badge>
                {reportKindLabels[kind]} · {formatDate(createdAt)}
                {until && ` · until ${formatDate(until)}`}
              </p>
              <p className="[overflow-wrap:anywhere]">{reason}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Related({ related }: Pick<Person, 'related'>) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h4 className="font-strong">Related accounts</h4>
      {related.length === 0 ? (
        <p className="text-ink-soft">None</p>
      ) : (
        <ul aria-label="Related accounts" className="grid gap-1">
          {related.map(({ user, shares }) => (
            <li key={user.id} className="[overflow-wrap:anywhere]">
              <DeskPersonLink person={user} />{' '}
              <span className="text-fine text-ink-soft">
                same {joinWords.format(shares.map((it) => shareLabels[it]))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
