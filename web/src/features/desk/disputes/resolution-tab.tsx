import { RULING_NOTE_MAX_LENGTH } from '@sought/contract/casework'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import { type DeskDispute, resolveDispute } from '@sought/contract/disputes'
import { canMove, partyIn } from '@sought/escrow/moves'
import * as z from 'zod/mini'
import { useSession } from '../../../data/session.ts'
import { toastFailure } from '../../../data/toasts.ts'
import { isInRange, type Range, readAmount } from '../../../format/amount.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatMoney, getCurrencySymbol } from '../../../format/money.ts'
import { describeTimeLeft, isPast } from '../../../format/time-left.ts'
import { disputeStatusBadge, disputeTitle, isResolved } from '../../../shared/disputes/dispute-status.ts'
import { RulingSummary } from '../../../shared/disputes/ruling-summary.tsx'
import { describeRange } from '../../../shared/forms/amount-entry.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { useNow } from '../../../shared/time/use-now.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Select, toOptions } from '../../../ui/forms/select.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { appendReply, InsertReply } from '../shared/insert-reply.tsx'
import {
  explainUnresolved,
  previewRuling,
  type Resolution,
  resolutionLabels,
  resolvedToast,
} from '../shared/resolution.ts'
import { BankCase, describePayout } from './bank-case.tsx'
import { FraudCase } from './fraud-case.tsx'
import { LongHold } from './long-hold.tsx'

const RESOLUTIONS = Object.keys(resolutionLabels) as Resolution[]

interface ResolutionTabProps {
  dispute: DeskDispute
  /** Null unless an admin has ruled. Undefined while loading. */
  appealUntil?: string | null | undefined
  onResolved: () => void
}

export function ResolutionTab({ dispute, appealUntil, onResolved }: ResolutionTabProps) {
  const session = useSession()
  if (dispute.bankDecides) return <BankDecides dispute={dispute} />
  if (isResolved({ status: dispute.deskStatus }))
    return <AlreadyResolved dispute={dispute} appealUntil={appealUntil} />
  if (session.state === 'signed-in' && partyIn(dispute, session.user.id)) return <NotImpartial />
  if (!canMove(dispute.status, 'review', 'admin')) return <NotDisputed dispute={dispute} />
  return <ResolutionForm dispute={dispute} onResolved={onResolved} />
}

function BankDecides({ dispute }: { dispute: DeskDispute }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <BankCase dispute={dispute} />
      <p>
        You can rule on this payment once the bank has decided. Until then, a refund could pay the buyer
        twice, and a release could pay the seller with money that the bank takes.
      </p>
      <Button className="justify-self-start" disabled>
        Resolve Dispute
      </Button>
    </div>
  )
}

/** A payment in escrow that is on the desk for another reason. */
function NotDisputed({ dispute }: { dispute: DeskDispute }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <FraudCase dispute={dispute} />
      <LongHold dispute={dispute} />
      <p>The buyer has not disputed this payment, so there is nothing to rule on.</p>
    </div>
  )
}

function AlreadyResolved({ dispute, appealUntil }: Pick<ResolutionTabProps, 'dispute' | 'appealUntil'>) {
  const { currency } = dispute
  const now = useNow()
  const title = disputeStatusBadge(dispute.deskStatus).label
  if (!isResolved(dispute)) {
    return (
      <Notice tone="success" title={title}>
        The card’s bank decided. {describePayout(dispute)}
      </Notice>
    )
  }
  return (
    <Notice tone="success" title={title}>
      {formatMoney(dispute.refundCents ?? 0, currency)} of {formatMoney(dispute.amount, currency)} was
      refunded to the buyer.{appealUntil && ` ${describeAppeals(appealUntil, now)}`}
    </Notice>
  )
}

function describeAppeals(until: string, now: Date): string {
  if (isPast(until, now)) return `The parties could appeal until ${formatDateTime(until)}.`
  return `Both parties can appeal until ${formatDateTime(until)} (${describeTimeLeft(until, now)}).`
}

function NotImpartial() {
  return (
    <Notice tone="warning" title="You cannot resolve this dispute">
      You are a party to this payment. Another admin must handle it.
    </Notice>
  )
}

/** For resolutions with a refund: whether its amount is valid. */
const hasValidRefund = (action: Resolution, refund: number | null, range: Range) =>
  action !== 'refund_partial' || isInRange(range, refund)

const resolutionSchema = (range: Range, currency: Currency, refundMessage: string) =>
  z
    .object({
      action: z.enum(RESOLUTIONS, 'Please select a resolution action'),
      note: z.string(),
      refund: z.string(),
    })
    .check(
      z.refine(({ action, refund }) => hasValidRefund(action, readAmount(refund, currency), range), {
        path: ['refund'],
        error: refundMessage,
      }),
    )

/** A ruling moves money and cannot be undone, so it needs a confirmation. */
function ResolutionForm({ dispute, onResolved }: Omit<ResolutionTabProps, 'appealUntil'>) {
  const { id, amount, currency } = dispute
  const range = { min: rulesOf(currency).step, max: amount - rulesOf(currency).step }
  const refundMessage = describeRange(range, currency)
  const preview = (action: Resolution, refund: string) =>
    previewRuling(
      action,
      dispute,
      action === 'refund_partial' ? (readAmount(refund, currency) ?? undefined) : undefined,
    )
  const form = useContractForm(resolveDispute, {
    schema: resolutionSchema(range, currency, refundMessage),
    values: { note: '', refund: '' },
    onInvalid: () => {
      if (form.getValues('action')) return
      toastFailure('Missing Information', 'Please select a resolution action')
    },
    confirm: ({ action, refund }) => {
      const outcome = preview(action, refund)
      return (
        outcome && {
          title: `${resolutionLabels[action]}?`,
          description: 'The money moves immediately and both parties are notified. This cannot be undone.',
          confirmLabel: 'Confirm and Move the Money',
          children: <RulingSummary ruling={outcome} of={dispute} />,
        }
      )
    },
    input: ({ action, note, refund }) => {
      const refundAmount = preview(action, refund)?.refund
      const hasAmount = action === 'refund_full' || action === 'refund_partial'
      return {
        params: { id: String(id) },
        body: { disputeId: id, action, note, ...(hasAmount && { refundAmount }) },
      }
    },
    success: (_reply, { action }) => resolvedToast(action),
    failure: explainUnresolved,
    onSuccess: onResolved,
  })
  const { action, refund } = form.watch()
  const outcome = action && preview(action, refund)
  const refundField = form.field('refund')
  return (
    <Form form={form} name="Resolution" submitLabel="Resolve Dispute">
      <Select
        label="Resolution action"
        placeholder="Select an action"
        defaultValue=""
        options={toOptions(resolutionLabels)}
        {...form.field('action')}
      />
      {action === 'refund_partial' && (
        <TextField
          label="Refund amount"
          type="number"
          inputMode="decimal"
          min={0.01}
          step={0.01}
          autoFocus
          before={getCurrencySymbol(currency)}
          {...refundField}
          error={refund !== '' && !outcome ? refundMessage : refundField.error}
        />
      )}
      <InsertReply
        values={{
          buyer: dispute.buyer.name,
          seller: dispute.seller.name,
          item: disputeTitle(dispute),
          amount: formatMoney(amount, currency),
          transaction: dispute.transactionNumber,
        }}
        onInsert={(reply) => form.setValue('note', appendReply(form.getValues('note'), reply))}
      />
      <TextArea
        label="Notes"
        optional
        rows={3}
        maxLength={RULING_NOTE_MAX_LENGTH}
        hint={
          action === 'request_more_info'
            ? 'Say what you need and from whom. Both parties can read this.'
            : 'Explain your decision. Both parties can read this.'
        }
        {...form.field('note')}
      />
      {outcome && <RulingSummary ruling={outcome} of={dispute} />}
    </Form>
  )
}
