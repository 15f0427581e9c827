import type { ReplyOf } from '@sought/contract/call'
import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPaymentSummary } from '@sought/contract/payments'
import { canMove } from '@sought/escrow/moves'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { toastFailure } from '../../data/toasts.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { DisputeForm } from './dispute-form.tsx'
import { DisputeUnavailable } from './dispute-unavailable.tsx'
import { EvidenceUploadPage } from './evidence-upload-page.tsx'
import { FilingHelp } from './filing-info.tsx'
import { useEvidenceFiles } from './use-evidence-files.ts'
import { useFileDispute } from './use-file-dispute.ts'

/** The form with which a buyer disputes a payment in escrow. */
export function DisputeReportScreen() {
  const [query] = useSearchParams()
  const paymentId = query.get('paymentId')
  if (!paymentId) return <NoPaymentId />
  return <LoadPayment key={paymentId} paymentId={paymentId} />
}

function NoPaymentId() {
  useEffect(() => {
    toastFailure('Error', 'No payment ID specified')
  }, [])
  return <DisputeUnavailable title="Invalid Request">No payment ID specified for dispute.</DisputeUnavailable>
}

function LoadPayment({ paymentId }: { paymentId: string }) {
  const isId = PathId.safeParse(paymentId).success
  const summary = useRead(getPaymentSummary, { params: { paymentId } }, { enabled: isId })
  if (!isId) return <PaymentNotFound />
  return (
    <Loaded query={summary} notFound={<PaymentNotFound />}>
      {(payment) => <FileDispute payment={payment} />}
    </Loaded>
  )
}

function FileDispute({ payment }: { payment: PaymentSummary }) {
  const session = useSession()
  const evidence = useEvidenceFiles()
  const { form, isUploading, finish } = useFileDispute(payment.id, evidence)
  if (session.state !== 'signed-in') return null
  if (isUploading) {
    return <EvidenceUploadPage paymentId={payment.id} evidence={evidence} onFinish={finish} />
  }
  if (payment.buyerId !== session.user.id) return <NotTheBuyer />
  // While we are filing, a live update may report the new status before the response arrives: keep the form.
  if (!form.isBusy && !canMove(payment.status, 'dispute', 'buyer')) {
    return <NotInEscrow payment={payment} />
  }
  return (
    <Page
      title="Report a Problem"
      lead="Tell us what went wrong. The money stays in escrow until the dispute is resolved."
      back={<BackButton fallback={paths.payments()} />}
    >
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <TransactionSummary payment={payment} />
          <DisputeForm form={form} evidence={evidence} />
        </div>
        <aside>
          <FilingHelp />
        </aside>
      </div>
    </Page>
  )
}

function PaymentNotFound() {
  return (
    <DisputeUnavailable title="Payment Not Found">
      The payment you're looking for doesn't exist or you don't have permission to view it.
    </DisputeUnavailable>
  )
}

function NotTheBuyer() {
  return (
    <DisputeUnavailable title="Access Denied">
      Only the buyer can file a dispute for this payment.
    </DisputeUnavailable>
  )
}

function NotInEscrow({ payment: { id, status } }: { payment: PaymentSummary }) {
  if (status === 'pending' || status === 'completed') {
    return (
      <DisputeUnavailable title="Not in escrow" drawing="parcel">
        {status === 'pending'
          ? 'This payment is still being processed. You can file a dispute once the money is in escrow.'
          : 'This payment has been released to the seller. Only money in escrow can be disputed.'}
      </DisputeUnavailable>
    )
  }
  return (
    <DisputeUnavailable
      title="Already in dispute"
      drawing="letters"
      primaryAction={<LinkButton to={paths.dispute(id)}>View Dispute</LinkButton>}
    >
      There is already a dispute about this payment. You can add statements and files to it.
    </DisputeUnavailable>
  )
}

type PaymentSummary = ReplyOf<typeof getPaymentSummary>

function TransactionSummary({ payment }: { payment: PaymentSummary }) {
  return (
    <Card asChild>
      <section aria-label="Transaction" className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 grow basis-52">
          <p className="text-fine text-ink-soft">
            Paid on {formatDate(payment.createdAt)} · {payment.transactionNumber}
          </p>
          <h2 className="mt-1 font-display font-strong text-title [overflow-wrap:anywhere]">
            {payment.wantedItems.title || 'Unknown Item'}
          </h2>
        </div>
        <Money amount={formatMoney(payment.amount, payment.currency)} where="In escrow" size="title" />
      </section>
    </Card>
  )
}
