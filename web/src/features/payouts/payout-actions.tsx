import {
  listManualPayouts,
  type ManualPayout,
  markPayoutPaid,
  sendPayoutAgain,
  undoManualPayout,
} from '@sought/contract/payouts'
import { useState } from 'react'
import { formatCents } from '../../lib/money.ts'
import { explainFailure, useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'

const REFERENCE_MAX_LENGTH = 200

const feedback = (successDescription: string) => ({
  success: { title: 'Payout Updated', description: successDescription },
  failure: explainFailure('Payout Failed'),
  refreshes: [listManualPayouts],
})

export function MarkPaidButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, payout.currency)
  const [isOpen, setIsOpen] = useState(false)
  const [reference, setReference] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { run, isPending } = useAction(
    markPayoutPaid,
    feedback(`${amount} to ${payout.seller.name} is marked as paid.`),
  )
  const confirm = async () => {
    const trimmed = reference.trim()
    setIsMissing(trimmed === '')
    if (trimmed === '') return
    await run({ params: { id: String(payout.id) }, body: { reference: trimmed } })
    setIsOpen(false)
  }
  return (
    <ConfirmDialog
      title={`Have you paid ${amount}?`}
      description={`To ${payout.accountHolderName ?? payout.seller.name}${payout.accountLast4 ? `, account ending in ${payout.accountLast4}` : ''}. We notify the seller that the payout is on its way.`}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void confirm()}
      trigger={<Button size="sm">Mark Paid</Button>}
    >
      <TextField
        label="Reference"
        hint="The bank’s reference number of the transfer."
        maxLength={REFERENCE_MAX_LENGTH}
        autoComplete="off"
        value={reference}
        error={isMissing ? 'Please enter the reference of the transfer' : undefined}
        onChange={({ target }) => {
          setReference(target.value)
          setIsMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

export function UndoButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, payout.currency)
  const [isOpen, setIsOpen] = useState(false)
  const { run, isPending } = useAction(
    undoManualPayout,
    feedback(`${amount} is owed to ${payout.seller.name} again.`),
  )
  return (
    <ConfirmDialog
      title="Undo this payout?"
      description={`${amount} will be owed to ${payout.seller.name} again. Both steps stay in the history.`}
      confirmLabel="Undo Payout"
      cancelLabel="Keep as Paid"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={async () => {
        await run({ params: { id: String(payout.id) } })
        setIsOpen(false)
      }}
      trigger={
        <Button variant="secondary" size="sm" className="justify-self-start">
          Undo
        </Button>
      }
    />
  )
}

export function SendAgainButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, payout.currency)
  const [isOpen, setIsOpen] = useState(false)
  const { run, isPending } = useAction(
    sendPayoutAgain,
    feedback(`We are sending ${amount} to ${payout.seller.name} again.`),
  )
  return (
    <ConfirmDialog
      title={`Send ${amount} again?`}
      description={`To ${payout.seller.name}, from the platform’s own balance. If their account cannot receive it and they gave bank details, it becomes a manual payout.`}
      confirmLabel={`Send ${amount}`}
      cancelLabel="Not Yet"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={async () => {
        await run({ params: { id: String(payout.id) } })
        setIsOpen(false)
      }}
      trigger={
        <Button size="sm" className="justify-self-start">
          Send Again
        </Button>
      }
    />
  )
}
