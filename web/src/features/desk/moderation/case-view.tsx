import { claimCase, type ModerationCase } from '@sought/contract/moderation'
import { paths } from '@sought/contract/paths'
import { refusals } from '@sought/contract/refusals'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSend } from '../../../data/use-send.ts'
import { formatDateTime, formatTime } from '../../../format/dates.ts'
import { decisionLabels } from '../../../shared/moderation/moderation-decision.ts'
import { BackTo } from '../../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../../shared/navigation/links.tsx'
import { reportKindLabels } from '../../../shared/reports/report-reasons.ts'
import { useTimeout } from '../../../shared/time/use-timeout.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { CaseContent, CaseReports } from './case-content.tsx'
import { severityOf } from './case-words.ts'
import { DecisionForm } from './decision-form.tsx'
import { PersonRecord } from './person-record.tsx'

interface CaseViewProps {
  id: number
  /** The case from the list, which is shown if it cannot be claimed. */
  listed: ModerationCase | undefined
  onDecided: (id: number) => void
}

const lostCodes = ['case_claimed', 'case_decided', 'not_impartial'] as const
type Lost = (typeof lostCodes)[number]

/** A case in full. Opening it claims it, so that no other moderator works on it. */
export function CaseView({ id, listed, onDecided }: CaseViewProps) {
  const claim = useSend(claimCase)
  const { mutate, data, error, isError } = claim
  const [lost, setLost] = useState<Lost | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => mutate({ params: { id: String(id) } }), [id, mutate])
  const isShown = data !== undefined || isError
  useEffect(() => {
    if (isShown) heading.current?.focus()
  }, [isShown])

  const refusedAs = lost ?? lostCodes.find((code) => code === error?.code) ?? null
  const shown = data ?? (refusedAs ? listed : undefined)
  if (isError && !refusedAs && !shown) {
    return error.code === 'case_not_found' ? (
      <ErrorState
        title={refusals.case_not_found.message}
        message="It was deleted, or the address is wrong."
      />
    ) : (
      <ErrorState
        reference={error.requestId}
        onRetry={() => mutate({ params: { id: String(id) } })}
        busy={claim.isPending}
      />
    )
  }
  if (!isShown) return <LoadingCase />
  return (
    <Card asChild padding="lg">
      <article aria-label={`Case #${id}`} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <header className="grid gap-2">
          <h2 ref={heading} tabIndex={-1} className="font-display font-strong text-title outline-none">
            Case #{id}
          </h2>
          {shown && <Facts case={shown} />}
        </header>
        {refusedAs ? (
          <Refused code={refusedAs} listed={listed} />
        ) : (
          data?.claim && (
            <ClaimState until={data.claim.until} onClaim={() => mutate({ params: { id: String(id) } })} />
          )
        )}
        {shown && <Sections case={shown} />}
        {data && !refusedAs && (
          <Section title="Decision">
            <DecisionForm case={data} onDecided={() => onDecided(id)} onLost={setLost} />
          </Section>
        )}
      </article>
    </Card>
  )
}

function Facts({ case: it }: { case: ModerationCase }) {
  const { label, tone } = severityOf(it)
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
      <Badge tone={tone}>{label}</Badge>
      {it.appeal && <Badge tone="attention">Appeal</Badge>}
      {reportKindLabels[it.kind]} · {formatDateTime(it.createdAt)}
    </p>
  )
}

function ClaimState({ until, onClaim }: { until: string; onClaim: () => void }) {
  const [endedAt, setEndedAt] = useState<string | null>(null)
  const startTimeout = useTimeout()
  useEffect(() => {
    startTimeout(() => setEndedAt(until), Math.max(0, new Date(until).getTime() - Date.now()))
  }, [until, startTimeout])
  if (endedAt === until) {
    return (
      <Notice
        live
        tone="warning"
        title="Your claim has ended"
        action={
          <Button size="sm" variant="secondary" onClick={onClaim}>
            Claim Again
          </Button>
        }
      >
        Another moderator can open this case now.
      </Notice>
    )
  }
  return <Notice>{`Claimed by you until ${formatTime(until)}`}</Notice>
}

function Refused({ code, listed }: { code: Lost; listed: ModerationCase | undefined }) {
  const claim = listed?.claim
  const isByOther = code === 'case_claimed' && claim && !claim.isMine
  return (
    <Notice
      live
      tone="warning"
      title={refusals[code].message}
      action={
        <LinkButton to={paths.adminModeration()} size="sm" variant="secondary">
          Back to the Queue
        </LinkButton>
      }
    >
      {isByOther && `Claimed by ${claim.by.name} until ${formatTime(claim.until)}`}
    </Notice>
  )
}

function Sections({ case: it }: { case: ModerationCase }) {
  return (
    <>
      {it.appeal && <Appeal case={it} appeal={it.appeal} />}
      <Section title="Content">
        <CaseContent case={it} />
      </Section>
      {!it.appeal && (
        <Section title="Reports">
          <CaseReports reports={it.reports} />
        </Section>
      )}
      {it.person && (
        <Section title="Person">
          <PersonRecord person={it.person} />
        </Section>
      )}
    </>
  )
}

interface AppealProps {
  case: ModerationCase
  appeal: NonNullable<ModerationCase['appeal']>
}

function Appeal({ case: { person }, appeal }: AppealProps) {
  const decision = person?.decisions.find(({ id }) => id === appeal.decisionId)
  return (
    <Section title="Appeal">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {decision && (
          <p className="[overflow-wrap:anywhere]">
            <span className="font-strong">{decisionLabels[decision.action]}:</span> {decision.reason}
          </p>
        )}
        <p className="whitespace-pre-line rounded-card bg-sunken p-4 [overflow-wrap:anywhere]">
          {appeal.text}
        </p>
        <p className="text-fine text-ink-soft">{formatDateTime(appeal.createdAt)}</p>
      </div>
    </Section>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-line border-t pt-5">
      <h3 className="font-strong text-lead">{title}</h3>
      {children}
    </section>
  )
}

function LoadingCase() {
  return (
    <div role="status" aria-label="Loading..." className="grid gap-4">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-28" />
      <Skeleton className="h-40" />
    </div>
  )
}

/** Shown on phones, where the list and the case are shown one at a time. */
export function BackToQueue() {
  return (
    <BackTo href={paths.adminModeration()} className="mb-3 lg:hidden">
      All cases
    </BackTo>
  )
}
