import type { ReplyOf } from '@sought/contract/call'
import { getDispute } from '@sought/contract/disputes'
import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { canMove, partyIn } from '@sought/escrow/moves'
import type { ReactNode } from 'react'
import { Link, useParams } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { useSession } from '../../lib/session.ts'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { AddEvidence } from './add-evidence.tsx'
import { AnswerForm } from './answer-form.tsx'
import { DisputeMoney, DisputeNotice } from './dispute-state.tsx'
import { EvidenceList } from './evidence-list.tsx'
import { NoDispute } from './no-dispute.tsx'
import { ReasonText } from './reason-text.tsx'
import { SettlementSection } from './settlement.tsx'
import { Timeline } from './timeline.tsx'
import { WithdrawButton } from './withdraw-button.tsx'
import { isResolved, titleOf } from './words.ts'

/** A dispute as its two parties see it: how it stands, what was said, and what each can still do. */
export function DisputeScreen() {
  const { paymentId } = useParams<{ paymentId: string }>()
  const isId = PathId.safeParse(paymentId).success
  const file = useRead(getDispute, { params: { paymentId } }, { staleMs: 0, enabled: isId })
  if (!isId) return <DisputeNotFound />
  return (
    <Loaded query={file} notFound={<DisputeNotFound />}>
      {(it) => <DisputeFile file={it} />}
    </Loaded>
  )
}

/** It never was, or was withdrawn a moment ago: the payment tells where the money is. */
function DisputeNotFound() {
  return (
    <NoDispute title="Dispute not found" drawing="lens">
      It was withdrawn, or there never was one that you may see.
    </NoDispute>
  )
}

function DisputeFile({ file }: { file: ReplyOf<typeof getDispute> }) {
  const session = useSession()
  const { dispute, evidence, timeline } = file
  const party = session.state === 'signed-in' ? partyIn(dispute, session.user.id) : null
  if (!party) return null
  const me = dispute[party].id
  const other = party === 'buyer' ? dispute.seller : dispute.buyer
  const isOpen = !isResolved(dispute)
  const sentCount = evidence.filter((it) => it.submittedBy === me && it.fileUrl !== null).length
  return (
    <Page
      title={`Dispute #${dispute.id}`}
      lead={
        <>
          {titleOf(dispute)},{' '}
          <Link href={paths.messages({ itemId: dispute.wantedItemId, userId: other.id })} className="link">
            {other.name}
          </Link>
        </>
      }
      back={<BackButton fallback={paths.payments()} />}
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <aside className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:col-start-2 lg:row-start-1">
          <DisputeNotice dispute={dispute} party={party} />
          <DisputeMoney dispute={dispute} party={party} />
          {isOpen && dispute.amount > 1 && <SettlementSection dispute={dispute} party={party} />}
          {canMove(dispute.status, 'withdraw', party) && <WithdrawButton dispute={dispute} />}
        </aside>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:col-start-1 lg:row-start-1">
          <Section title="What it is about">
            <Card>
              <ReasonText reason={dispute.disputeReason} />
            </Card>
          </Section>
          <Section title="Evidence">
            <EvidenceList evidence={evidence} parties={dispute} />
          </Section>
          {isOpen && (
            <Section title="Add to it">
              <Card className="grid grid-cols-[minmax(0,1fr)] gap-8">
                <AnswerForm dispute={dispute} />
                <AddEvidence dispute={dispute} sentCount={sentCount} />
              </Card>
            </Section>
          )}
          <Section title="Timeline">
            <Timeline entries={timeline} />
          </Section>
        </div>
      </div>
    </Page>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
      {children}
    </section>
  )
}
