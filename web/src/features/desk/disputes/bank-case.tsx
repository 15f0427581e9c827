import { type Chargeback, type DeskDispute, sendBankEvidence } from '@sought/contract/disputes'
import { partyIn } from '@sought/escrow/moves'
import { useSession } from '../../../data/session.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { daysUntil, describeDays } from './bank-deadline.ts'
import { BankEvidence } from './bank-evidence.tsx'

/** A payment with a chargeback: its reason, the deadline for evidence, and the state of the payout. */
export function BankCase({ dispute }: { dispute: DeskDispute }) {
  const session = useSession()
  if (!dispute.bankDecides) return null
  const open = dispute.chargebacks.filter(({ outcome }) => outcome === 'open')
  const isImpartial = session.state === 'signed-in' && !partyIn(dispute, session.user.id)
  return (
    <Notice
      tone="warning"
      title="The card’s bank decides"
      action={isImpartial && <EvidenceAction dispute={dispute} open={open} />}
    >
      <ul className="mt-1 grid gap-1">
        {open.map((chargeback) => (
          <li key={chargeback.id}>
            {describeClaim(chargeback, dispute)} <Deadline chargeback={chargeback} />
          </li>
        ))}
        <li>{describePayout(dispute)}</li>
      </ul>
    </Notice>
  )
}

function describeClaim({ amountCents, reason, status }: Chargeback, { currency }: DeskDispute): string {
  const amount = formatMoney(amountCents, currency)
  const claim = status.startsWith('warning') ? `asks about ${amount}` : `took back ${amount}`
  return `The bank ${claim}: ${sayReason(reason)}.`
}

/** 'product not received' for 'product_not_received'. */
export const sayReason = (reason: string): string => reason.replaceAll('_', ' ')

function Deadline({ chargeback: { deadline, evidenceSentAt } }: { chargeback: Chargeback }) {
  if (evidenceSentAt) return <>Evidence was sent on {formatDateTime(evidenceSentAt)}.</>
  if (!deadline) return null
  const days = daysUntil(deadline, new Date())
  return (
    <>
      {days === null ? 'The time for evidence ended on ' : `Evidence is due ${describeDays(days)}, by `}
      <time dateTime={deadline} className="font-strong">
        {formatDateTime(deadline)}
      </time>
      .
    </>
  )
}

function EvidenceAction({ dispute, open }: { dispute: DeskDispute; open: Chargeback[] }) {
  const now = new Date()
  const canSend = open.some(
    ({ deadline, evidenceSentAt }) => !evidenceSentAt && (!deadline || daysUntil(deadline, now) !== null),
  )
  return canSend ? <SendEvidenceButton dispute={dispute} /> : null
}

export function describePayout({ payout, currency, status }: DeskDispute): string {
  const format = (cents: number) => formatMoney(cents, currency)
  if (!payout) return status === 'completed' ? 'There is no payout.' : 'The money is in escrow.'
  const { amountCents, reversedCents, paidAt } = payout
  switch (payout.status) {
    case 'owed':
      return `The payout of ${format(amountCents)} is not sent yet.`
    case 'sending':
      return `The payout of ${format(amountCents)} is being sent.`
    case 'paid':
      return `The payout of ${format(amountCents)} was sent and cannot be taken back.`
    case 'frozen':
      if (!paidAt) return `The payout of ${format(amountCents)} is frozen.`
      return reversedCents > 0
        ? `${format(reversedCents)} of the payout of ${format(amountCents)} was taken back.`
        : `The payout of ${format(amountCents)} is being taken back.`
    case 'reversed':
      return `The payout of ${format(amountCents)} was reversed in Stripe’s dashboard.`
    case 'cancelled':
      return 'The payout was cancelled.'
  }
}

function SendEvidenceButton({ dispute: { id } }: { dispute: DeskDispute }) {
  const { run } = useAction(sendBankEvidence, {
    success: { title: 'Evidence Sent', description: 'The bank has it and will decide.' },
    failure: explainFailure('Evidence Not Sent'),
  })
  return (
    <ConfirmDialog
      title="Send the evidence to the bank?"
      description="The bank accepts evidence once. You cannot add anything later."
      confirmLabel="Send Evidence"
      onConfirm={() => run({ params: { id: String(id) } })}
      trigger={<Button size="sm">Send evidence to the bank</Button>}
    >
      <BankEvidence paymentId={id} />
    </ConfirmDialog>
  )
}
