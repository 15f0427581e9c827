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
import { formatMoney } from '../../../format/money.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'
import { MarkPaidDialog } from '../shared/mark-paid-dialog.tsx'
import { MoneyCard } from '../shared/money-card.tsx'

interface GoodwillProps {
  goodwill: GoodwillPayment
}

const amountOf = ({ amount, currency }: GoodwillPayment) => formatMoney(amount, currency)

export function GoodwillCard({ goodwill }: GoodwillProps) {
  const { recipient, to } = goodwill
  const { role } = useIsAdmin()
  return (
    <MoneyCard
      label={`Goodwill for ${recipient.name}`}
      title={
        <>
          <DeskPersonLink person={recipient} />, {to}
        </>
      }
      of={goodwill}
      state={describeState(goodwill)}
    >
      <Details goodwill={goodwill} />
      {goodwill.status === 'waiting' && role === 'admin' && <Decision goodwill={goodwill} />}
      {goodwill.status === 'done' && !goodwill.paidAt && <MarkPaid goodwill={goodwill} />}
    </MoneyCard>
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
    { label: 'Reason', value: reason },
    { label: 'Requested by', value: requestedBy.name },
    decidedBy && { label: status === 'rejected' ? 'Rejected by' : 'Approved by', value: decidedBy.name },
    note && { label: 'Note', value: note },
    recipientEmail && {
      label: 'Recipient’s email',
      value: (
        <a className="link" href={`mailto:${recipientEmail}`}>
          {recipientEmail}
        </a>
      ),
    },
    paidReference && { label: 'Reference', value: paidReference },
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
  const session = useSession()
  if (session.state === 'signed-in' && goodwill.requestedBy.id === session.user.id)
    return <p className="text-ink-soft">You granted this payment, so another person must pay it.</p>
  return <MarkPaidButton goodwill={goodwill} />
}

function MarkPaidButton({ goodwill }: GoodwillProps) {
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
