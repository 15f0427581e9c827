import type { InputOf } from '@sought/contract/call'
import {
  listManualPayouts,
  type ManualPayout,
  markPayoutPaid,
  undoPayoutPaid,
} from '@sought/contract/payouts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'

const REFERENCE_MAX_LENGTH = 200

export function MarkPaidButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, useCurrency())
  const [asking, setAsking] = useState(false)
  const [reference, setReference] = useState('')
  const [missing, setMissing] = useState(false)
  const { take, busy } = usePayoutStep(
    markPayoutPaid,
    `${amount} to ${payout.seller.name} is marked as paid.`,
  )
  const confirm = async () => {
    const words = reference.trim()
    setMissing(words === '')
    if (words === '') return
    await take({ params: { id: String(payout.id) }, body: { reference: words } })
    setAsking(false)
  }
  return (
    <ConfirmDialog
      title={`Have you paid ${amount}?`}
      description={`To ${payout.accountHolderName ?? payout.seller.name}${payout.accountLast4 ? `, account ending in ${payout.accountLast4}` : ''}. The seller is told that it is on its way.`}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      busy={busy}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={() => void confirm()}
      trigger={
        <Button size="sm" className="justify-self-start">
          Mark Paid
        </Button>
      }
    >
      <TextField
        label="Reference"
        hint="The bank’s number for the transfer, so that it can be found again."
        maxLength={REFERENCE_MAX_LENGTH}
        autoComplete="off"
        value={reference}
        error={missing ? 'Please give the reference of the transfer' : undefined}
        onChange={({ target }) => {
          setReference(target.value)
          setMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

export function UndoButton({ payout }: { payout: ManualPayout }) {
  const amount = formatCents(payout.amount, useCurrency())
  const [asking, setAsking] = useState(false)
  const { take, busy } = usePayoutStep(undoPayoutPaid, `${amount} is owed to ${payout.seller.name} again.`)
  return (
    <ConfirmDialog
      title="It was not paid after all?"
      description={`${amount} will be owed to ${payout.seller.name} again. Both steps stay on record.`}
      confirmLabel="Take It Back"
      cancelLabel="Leave It Paid"
      busy={busy}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={async () => {
        await take({ params: { id: String(payout.id) } })
        setAsking(false)
      }}
      trigger={
        <Button variant="secondary" size="sm" className="justify-self-start">
          Undo
        </Button>
      }
    />
  )
}

/** A step on a payout. A refusal is said in the server's words, and the lists are read again. */
function usePayoutStep<C extends typeof markPayoutPaid | typeof undoPayoutPaid>(call: C, done: string) {
  const send = useSend(call)
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()
  async function take(input: InputOf<C>): Promise<void> {
    try {
      await send.mutateAsync(input)
      toast({ title: 'Payout Updated', description: done })
    } catch (error) {
      if (sessionEnded(error)) return
      const said = error instanceof CallError ? error.said : null
      toast({ title: 'Payout Failed', description: said ?? 'Please try again.', variant: 'destructive' })
    }
    await refresh(cache, [listManualPayouts])
  }
  return { take, busy: send.isPending }
}
