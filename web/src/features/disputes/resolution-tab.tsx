import type { Dispute } from '@sought/contract/disputes'
import { partyIn } from '@sought/escrow/moves'
import type { Ruling } from '@sought/escrow/rulings'
import { type FormEvent, useState } from 'react'
import { isInRange, parseCents } from '../../lib/amount.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents, getCurrencySymbol } from '../../lib/money.ts'
import { useSession } from '../../lib/session.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { asOptions } from './options.ts'
import { RulingSummary } from './ruling-summary.tsx'
import { outcomeOf, type Resolution, resolutionLabels, useResolve } from './use-resolve.ts'
import { isResolved, statusLook } from './words.ts'

const NOTE_MAX_LENGTH = 5000

interface ResolutionTabProps {
  dispute: Dispute
  onResolved: () => void
}

export function ResolutionTab({ dispute, onResolved }: ResolutionTabProps) {
  const session = useSession()
  if (isResolved(dispute)) return <Decided dispute={dispute} />
  if (session.state === 'signed-in' && partyIn(dispute, session.user.id)) return <NotImpartial />
  return <ResolutionForm dispute={dispute} onResolved={onResolved} />
}

function Decided({ dispute }: { dispute: Dispute }) {
  const currency = useCurrency()
  return (
    <Notice tone="success" title={statusLook(dispute.status).label}>
      {formatCents(dispute.refundCents ?? 0, currency)} of {formatCents(dispute.amount, currency)} went back
      to the buyer. A dispute is resolved once.
    </Notice>
  )
}

function NotImpartial() {
  return (
    <Notice tone="warning" title="Not yours to decide">
      You are a party to this payment: another admin must decide.
    </Notice>
  )
}

const isResolution = (value: string): value is Resolution => value in resolutionLabels

function ResolutionForm({ dispute, onResolved }: ResolutionTabProps) {
  const { amount } = dispute
  const [action, setAction] = useState<Resolution | ''>('')
  const [note, setNote] = useState('')
  const [refund, setRefund] = useState('')
  const [asking, setAsking] = useState(false)
  const [tried, setTried] = useState(false)
  const { resolve, busy } = useResolve(dispute)
  const typedCents = parseCents(refund)
  const refundCents = action === 'refund_partial' ? (typedCents ?? undefined) : undefined
  const outcome = action && outcomeOf(action, amount, refundCents)

  const press = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!action) {
      toast({
        title: 'Missing Information',
        description: 'Please select a resolution action',
        variant: 'destructive',
      })
    } else if (action === 'request_more_info') void send(action)
    else if (outcome) setAsking(true)
  }
  async function send(chosen: Resolution): Promise<void> {
    const isTaken = await resolve({ action: chosen, note, refundCents })
    setAsking(false)
    if (isTaken) onResolved()
  }
  return (
    <form
      noValidate
      aria-label="Resolution"
      onSubmit={press}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <Select
        label="Resolution action"
        placeholder="Select an action"
        options={asOptions(resolutionLabels)}
        value={action}
        error={tried && !action ? 'Please select a resolution action' : undefined}
        onChange={({ target }) => {
          if (isResolution(target.value)) setAction(target.value)
          setTried(false)
        }}
      />
      {action === 'refund_partial' && (
        <RefundField text={refund} onText={setRefund} amount={amount} tried={tried} />
      )}
      <TextArea
        label="Notes"
        optional
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        hint={
          action === 'request_more_info'
            ? 'Say what is missing, and from whom. Both parties read it.'
            : 'Why it is decided so. Both parties read it.'
        }
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      {outcome && <RulingSummary ruling={outcome} amount={amount} />}
      <Button type="submit" className="justify-self-start" busy={busy}>
        Resolve Dispute
      </Button>
      {action && outcome && (
        <AskOnce
          dispute={dispute}
          action={action}
          outcome={outcome}
          busy={busy}
          open={asking}
          onOpenChange={setAsking}
          onConfirm={() => void send(action)}
        />
      )}
    </form>
  )
}

interface RefundFieldProps {
  text: string
  onText: (text: string) => void
  amount: number
  tried: boolean
}

function RefundField({ text, onText, amount, tried }: RefundFieldProps) {
  const currency = useCurrency()
  const range = { minCents: 1, maxCents: amount - 1 }
  const isWrong = !isInRange(range, parseCents(text))
  return (
    <TextField
      label="Refund amount"
      type="number"
      inputMode="decimal"
      min={0.01}
      step={0.01}
      autoFocus
      before={getCurrencySymbol(currency)}
      value={text}
      onChange={({ target }) => onText(target.value)}
      error={
        isWrong && (tried || text !== '')
          ? `An amount from ${formatCents(range.minCents, currency)} to ${formatCents(range.maxCents, currency)}`
          : undefined
      }
    />
  )
}

interface AskOnceProps {
  dispute: Dispute
  action: Resolution
  outcome: Ruling
  busy: boolean
  open: boolean
  onOpenChange: (open: boolean) => void
  onConfirm: () => void
}

/** Money moves, and does not come back: who gets what is shown once more. */
function AskOnce({ dispute, action, outcome, ...dialog }: AskOnceProps) {
  return (
    <ConfirmDialog
      title={`${resolutionLabels[action]}?`}
      description="The money moves at once, and both parties are told. This cannot be undone."
      confirmLabel="Confirm and Move the Money"
      {...dialog}
    >
      <RulingSummary ruling={outcome} amount={dispute.amount} />
    </ConfirmDialog>
  )
}
