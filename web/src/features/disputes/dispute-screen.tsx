import type { ReplyOf } from '@sought/contract/call'
import { answerDispute, type Dispute, getDispute, withdrawDispute } from '@sought/contract/disputes'
import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPayment, refundBuyer } from '@sought/contract/payments'
import { canMove, partyIn } from '@sought/escrow/moves'
import { useLocation, useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { ParcelDetails } from '../../shared/deals/parcel-details.tsx'
import { EvidenceList } from '../../shared/disputes/dispute-evidence.tsx'
import { ReasonText } from '../../shared/disputes/dispute-reason.tsx'
import { disputeTitle, isResolved } from '../../shared/disputes/dispute-status.ts'
import { Timeline } from '../../shared/disputes/dispute-timeline.tsx'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { TextLink } from '../../shared/navigation/links.tsx'
import { RefundDialog } from '../../shared/refunds/refund-dialog.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { AddEvidence } from './add-evidence.tsx'
import { AppealSection } from './appeal-section.tsx'
import { DisputeMoney, DisputeNotice } from './dispute-summary.tsx'
import { DisputeUnavailable } from './dispute-unavailable.tsx'
import { SettlementSection } from './settlement.tsx'

/** A dispute as the buyer and the seller see it. */
export function DisputeScreen() {
  const { paymentId } = useParams<{ paymentId: string }>()
  const isId = PathId.safeParse(paymentId).success
  const details = useRead(getDispute, { params: { paymentId } }, { enabled: isId })
  if (!isId) return <DisputeNotFound />
  return (
    <Loaded query={details} notFound={<DisputeNotFound />}>
      {(it) => <DisputePage details={it} />}
    </Loaded>
  )
}

function DisputeNotFound() {
  return (
    <DisputeUnavailable title="Dispute not found" drawing="lens">
      It may have been withdrawn, or you don’t have permission to view it.
    </DisputeUnavailable>
  )
}

function DisputePage({ details }: { details: ReplyOf<typeof getDispute> }) {
  const session = useSession()
  const { dispute, evidence, timeline, appealUntil, appeals } = details
  const party = session.state === 'signed-in' ? partyIn(dispute, session.user.id) : null
  if (!party) return null
  const userId = dispute[party].id
  const other = party === 'buyer' ? dispute.seller : dispute.buyer
  const isOpen = !isResolved(dispute)
  const isOurs = !dispute.bankDecides
  const canSettle = isOpen && isOurs && dispute.amount > 1
  const uploadedCount = evidence.filter((it) => it.submittedBy === userId && it.fileUrl !== null).length
  return (
    <Page
      title={`Dispute #${dispute.id}`}
      lead={
        <>
          {disputeTitle(dispute)},{' '}
          <TextLink to={paths.messages({ itemId: dispute.wantedItemId, userId: other.id })}>
            {other.name}
          </TextLink>
        </>
      }
      back={<BackButton fallback={paths.payments()} />}
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <aside className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:col-start-2 lg:row-start-1">
          <DisputeNotice dispute={dispute} party={party} />
          <DisputeMoney dispute={dispute} party={party} />
          {party === 'seller' && !isOpen && <RefundAfterRuling dispute={dispute} />}
          <AppealSection dispute={dispute} party={party} until={appealUntil} appeals={appeals} />
          {canSettle && <SettlementSection dispute={dispute} party={party} />}
          {isOurs && canMove(dispute.status, 'withdraw', party) && <WithdrawButton dispute={dispute} />}
        </aside>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-10 lg:col-start-1 lg:row-start-1">
          <TitledSection title="Reason">
            <Card>
              <ReasonText reason={dispute.disputeReason} />
            </Card>
          </TitledSection>
          {dispute.shippedAt && (
            <TitledSection title="Parcel">
              <Card>
                <ParcelDetails parcel={dispute} />
              </Card>
            </TitledSection>
          )}
          <TitledSection title="Evidence">
            <EvidenceList evidence={evidence} parties={dispute} />
          </TitledSection>
          {isOpen && (
            <TitledSection title="Add to the dispute">
              <Card className="grid grid-cols-[minmax(0,1fr)] gap-8">
                <StatementForm dispute={dispute} />
                <AddEvidence dispute={dispute} uploadedCount={uploadedCount} />
              </Card>
            </TitledSection>
          )}
          <TitledSection title="Timeline">
            <Timeline entries={timeline} currency={dispute.currency} />
          </TitledSection>
        </div>
      </div>
    </Page>
  )
}

/** The seller can give back more than was decided. */
function RefundAfterRuling({ dispute }: { dispute: Dispute }) {
  const payment = useRead(getPayment, { params: { id: String(dispute.id) } })
  const refundable = payment.data?.refundable
  if (!refundable) return null
  return (
    <RefundDialog
      call={refundBuyer}
      deal={dispute}
      refundable={refundable}
      reader="seller"
      trigger={
        <Button variant="secondary" className="justify-self-start">
          Refund the Buyer
        </Button>
      }
    />
  )
}

const STATEMENT_MAX_LENGTH = 10_000

/** Adds a statement that the other party and the admins read. */
function StatementForm({ dispute }: { dispute: Dispute }) {
  const form = useContractForm(answerDispute, {
    values: { content: '' },
    input: (body) => ({ params: { paymentId: String(dispute.id) }, body }),
    success: { title: 'Statement Added' },
    failure: explainFailure('Failed to send your statement'),
    onDone: () => form.reset(),
  })
  return (
    <Form
      form={form}
      name="Statement"
      className="gap-3"
      submitLabel="Add Statement"
      variant="secondary"
      disabled={form.watch('content').trim() === ''}
    >
      <TextArea
        label="Your statement"
        rows={3}
        maxLength={STATEMENT_MAX_LENGTH}
        hint="The other party and our team will read it. You cannot change it later."
        {...form.field('content')}
      />
    </Form>
  )
}

function WithdrawButton({ dispute }: { dispute: Dispute }) {
  const [, navigate] = useLocation()
  const { run } = useAction(withdrawDispute, {
    success: { title: 'Dispute Withdrawn', description: 'The payment is back in escrow.' },
    failure: explainFailure('Failed to withdraw the dispute'),
  })
  return (
    <ConfirmDialog
      title="Withdraw the dispute?"
      description={`The payment goes back into escrow. If you do nothing, it is released to ${dispute.seller.name} when the hold ends. The hold continues with the time that was left when you filed the dispute. You can file at most two disputes about a deal.`}
      confirmLabel="Withdraw Dispute"
      cancelLabel="Keep Dispute"
      onConfirm={async () => {
        const isWithdrawn = await run({ params: { paymentId: String(dispute.id) } })
        // Not in onDone: a live update may remove this button before the response arrives.
        if (isWithdrawn) navigate(paths.payments())
      }}
      trigger={
        <Button variant="quiet" wide>
          Withdraw Dispute
        </Button>
      }
    />
  )
}
