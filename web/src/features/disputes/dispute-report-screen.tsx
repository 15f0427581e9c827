import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPaymentSummary } from '@sought/contract/payments'
import { canMove } from '@sought/escrow/moves'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import { LinkButton } from '../../lib/error-page.tsx'
import { Loaded } from '../../lib/loaded.tsx'
import { useSession } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { Page } from '../../ui/page.tsx'
import { BeforeFiling } from './about-disputes.tsx'
import { DisputeForm } from './dispute-form.tsx'
import { Filed } from './filed.tsx'
import { NoDispute } from './no-dispute.tsx'
import { type PaymentSummary, TransactionSummary } from './transaction-summary.tsx'
import { useEvidenceFiles } from './use-evidence-files.ts'
import { useFiling } from './use-filing.ts'

/** The buyer says what is wrong with a payment in escrow. */
export function DisputeReportScreen() {
  const [query] = useSearchParams()
  const paymentId = query.get('paymentId')
  if (!paymentId) return <NoPaymentId />
  return <Report key={paymentId} paymentId={paymentId} />
}

function NoPaymentId() {
  useEffect(() => {
    toast({ title: 'Error', description: 'No payment ID specified', variant: 'destructive' })
  }, [])
  return <NoDispute title="Invalid Request">No payment ID specified for dispute.</NoDispute>
}

function Report({ paymentId }: { paymentId: string }) {
  const isId = PathId.safeParse(paymentId).success
  const summary = useRead(getPaymentSummary, { params: { paymentId } }, { staleMs: 0, enabled: isId })
  if (!isId) return <PaymentNotFound />
  return (
    <Loaded query={summary} notFound={<PaymentNotFound />}>
      {(payment) => <Filing payment={payment} />}
    </Loaded>
  )
}

function Filing({ payment }: { payment: PaymentSummary }) {
  const session = useSession()
  const evidence = useEvidenceFiles()
  const filing = useFiling(payment.id, evidence)
  if (session.state !== 'signed-in') return null
  if (filing.phase === 'filed') return <Filed filing={filing} evidence={evidence} />
  if (payment.buyerId !== session.user.id) return <NotTheBuyer />
  // News of our own filing may come before its answer: that is no reason to take the form away.
  if (filing.phase === 'writing' && !canMove(payment.status, 'dispute', 'buyer')) {
    return <NotInEscrow payment={payment} />
  }
  return (
    <Page
      title="Report a Problem"
      lead="Tell us what went wrong. The money stays where it is until it is decided."
      back={<BackButton fallback={paths.payments()} />}
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <TransactionSummary payment={payment} />
          <DisputeForm evidence={evidence} busy={filing.phase === 'filing'} onSubmit={filing.file} />
        </div>
        <aside>
          <BeforeFiling />
        </aside>
      </div>
    </Page>
  )
}

function PaymentNotFound() {
  return (
    <NoDispute title="Payment Not Found">
      The payment you're looking for doesn't exist or you don't have permission to view it.
    </NoDispute>
  )
}

function NotTheBuyer() {
  return <NoDispute title="Access Denied">Only the buyer can file a dispute for this payment.</NoDispute>
}

/** What can be disputed is in escrow: before, nothing is held; afterwards, it has been decided or is being so. */
function NotInEscrow({ payment: { id, status } }: { payment: PaymentSummary }) {
  if (status === 'pending' || status === 'completed') {
    return (
      <NoDispute title="Not in escrow" drawing="parcel">
        {status === 'pending'
          ? 'This payment is still being processed. Nothing can be disputed before the money is in escrow.'
          : 'This payment has been released to the seller. Only money in escrow can be disputed.'}
      </NoDispute>
    )
  }
  return (
    <NoDispute
      title="Already in dispute"
      drawing="letters"
      instead={<LinkButton to={paths.dispute(id)}>View Dispute</LinkButton>}
    >
      There is a dispute about this payment. Files and words can be added to it.
    </NoDispute>
  )
}
