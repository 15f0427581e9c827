import { BankTransfer } from '@sought/contract/fields'
import {
  approveGoodwill,
  GOODWILL_REASON_MAX_LENGTH,
  type GoodwillPayment,
  markGoodwillPaid,
  rejectGoodwill,
} from '@sought/contract/goodwill'
import { useIsAdmin, useSession } from '../../../data/session.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDate } from '../../../format/dates.ts'
import { formatCents } from '../../../format/money.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Money } from '../../../ui/display/money.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { DealLink, DeskPersonLink } from '../shared/desk-links.tsx'
import { MarkPaidDialog } from '../shared/mark-paid-dialog.tsx'

interface GoodwillProps {
  goodwill: GoodwillPayment
}

const amountOf = ({ amount, currency }: GoodwillPayment) => formatCents(amount, currency)

export function GoodwillCard({ goodwill }: GoodwillProps) {
  const { recipient, to, itemTitle, transactionNumber, paymentId } = goodwill
  const { role } = useIsAdmin()
  return (
    <Card asChild>
      <article aria-label={`Goodwill for ${recipient.name}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
              <DeskPersonLink person={recipient} />, {to}
            </h2>
            <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
              <DealLink paymentId={paymentId}>{itemTitle}</DealLink> ·{' '}
              <TransactionNumber value={transactionNumber} />
            </p>
          </div>
          <Money
            amount={amountOf(goodwill)}
            where={describeState(goodwill)}
            size="title"
            className="sm:justify-items-end"
          />
        </header>
        <Details goodwill={goodwill} />
        {goodwill.status === 'waiting' && role === 'admin' && <Decision goodwill={goodwill} />}
        {goodwill.status === 'done' && !goodwill.paidAt && <MarkPaid goodwill={goodwill} />}
      </article>
    </Card>
  )
}

function describeState({ status, createdAt, paidAt, decidedAt }: GoodwillPayment): string {
  if (paidAt) return `Paid ${formatDate(paidAt)}`
  switch (status) {
    case 'waiting':
      return `Requested ${formatDate(createdAt)}`
    case 'done':
      return 'To be paid'
    case 'rejected':
      return decidedAt ? `Rejected ${formatDate(decidedAt)}` : 'Rejected'
  }
}

function Details({ goodwill }: GoodwillProps) {
  const { reason, requestedBy, decidedBy, status, note, recipientEmail, paidReference } = goodwill
  const rows = [
    { key: 'reason', label: 'Reason', value: reason },
    { key: 'requested', label: 'Requested by', value: requestedBy.name },
    ...(decidedBy
      ? [
          {
            key: 'decided',
            label: status === 'rejected' ? 'Rejected by' : 'Approved by',
            value: decidedBy.name,
          },
        ]
      : []),
    ...(note ? [{ key: 'note', label: 'Note', value: note }] : []),
    ...(recipientEmail
      ? [
          {
            key: 'email',
            label: 'Recipient’s email',
            value: (
              <a className="link" href={`mailto:${recipientEmail}`}>
                {recipientEmail}
              </a>
            ),
          },
        ]
      : []),
    ...(paidReference ? [{ key: 'reference', label: 'Reference', value: paidReference }] : []),
  ]
  return <DefinitionList className="border-line border-y py-1 [overflow-wrap:anywhere]" rows={rows} />
}

const feedback = (description: string) => ({
  success: { title: 'Goodwill Updated', description },
  failure: explainFailure('Goodwill Failed'),
})

/** Only another admin than the one who requested the payment can decide. */
function Decision({ goodwill }: GoodwillProps) {
  const session = useSession()
  if (session.state === 'signed-in' && goodwill.requestedBy.id === session.user.id)
    return <p className="text-ink-soft">You requested this payment, so another admin must approve it.</p>
  return (
    <div className="flex flex-wrap gap-3">
      <ApproveButton goodwill={goodwill} />
      <RejectButton goodwill={goodwill} />
    </div>
  )
}

function ApproveButton({ goodwill }: GoodwillProps) {
  const amount = amountOf(goodwill)
  const { run } = useAction(approveGoodwill, feedback(`${amount} is owed to ${goodwill.recipient.name}.`))
  return (
    <ConfirmDialog
      title={`Approve ${amount}?`}
      description={`The platform then owes ${goodwill.recipient.name} this amount. We notify them. This cannot be undone.`}
      confirmLabel={`Approve ${amount}`}
      onConfirm={() => run({ params: { id: String(goodwill.id) } })}
      trigger={<Button size="sm">Approve</Button>}
    />
  )
}

function RejectButton({ goodwill }: GoodwillProps) {
  const amount = amountOf(goodwill)
  const form = useContractForm(rejectGoodwill, {
    values: { note: '' },
    input: ({ note }) => ({ params: { id: String(goodwill.id) }, body: note.trim() ? { note } : {} }),
    ...feedback(`${amount} was rejected.`),
  })
  return (
    <ConfirmForm
      form={form}
      title={`Reject ${amount}?`}
      description={`${goodwill.recipient.name} is not notified.`}
      confirmLabel={`Reject ${amount}`}
      tone="danger"
      trigger={
        <Button size="sm" variant="secondary">
          Reject
        </Button>
      }
    >
      <TextArea
        label="Note"
        optional
        rows={3}
        maxLength={GOODWILL_REASON_MAX_LENGTH}
        {...form.field('note')}
      />
    </ConfirmForm>
  )
}

function MarkPaid({ goodwill }: GoodwillProps) {
  const amount = amountOf(goodwill)
  const form = useContractForm(markGoodwillPaid, {
    schema: BankTransfer,
    values: { reference: '' },
    input: (body) => ({ params: { id: String(goodwill.id) }, body }),
    ...feedback(`${amount} to ${goodwill.recipient.name} is marked as paid.`),
  })
  return (
    <div>
      <MarkPaidDialog
        form={form}
        amount={amount}
        description={`To ${goodwill.recipient.name}, by bank transfer outside the card provider. We notify them. This cannot be undone.`}
        trigger={<Button size="sm">Mark Paid</Button>}
      />
    </div>
  )
}
