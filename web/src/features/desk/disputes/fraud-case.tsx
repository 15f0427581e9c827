import { type DeskDispute, dismissFraudSignals } from '@sought/contract/disputes'
import { partyIn } from '@sought/escrow/moves'
import { useSession } from '../../../data/session.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { sayReason } from './bank-case.tsx'
import { isInEscrow } from './long-hold.tsx'

const signalTexts = {
  fraud_warning: 'The card’s bank warns of fraud',
  review: 'A rule in Stripe asks for a review',
} as const

/** A payment with fraud signals. It stays in escrow until an admin lets it continue or refunds it. */
export function FraudCase({ dispute }: { dispute: DeskDispute }) {
  const session = useSession()
  if (!dispute.needsCheck || !isInEscrow(dispute)) return null
  const undecided = dispute.fraudSignals.filter(
    ({ closedAt, dismissedAt }) => closedAt === null && dismissedAt === null,
  )
  const isImpartial = session.state === 'signed-in' && !partyIn(dispute, session.user.id)
  return (
    <Notice
      tone="danger"
      title="This payment may be fraud"
      action={isImpartial && <DismissButton dispute={dispute} />}
    >
      <ul className="mt-1 grid gap-1">
        {undecided.map(({ id, kind, reason }) => (
          <li key={id}>
            {signalTexts[kind]}: {sayReason(reason)}.
          </li>
        ))}
        <li>
          It cannot be released until you let it continue. To return the money, refund the payment in Stripe’s
          dashboard.
        </li>
      </ul>
    </Notice>
  )
}

function DismissButton({ dispute: { id } }: { dispute: DeskDispute }) {
  const { run } = useAction(dismissFraudSignals, {
    success: { title: 'Payment Continues', description: 'It can be released again.' },
    failure: explainFailure('Not Changed'),
  })
  return (
    <ConfirmDialog
      title="Let this payment continue?"
      description="It is released to the seller when the buyer confirms the delivery or the hold ends. If the bank takes the money back later, it is our loss."
      confirmLabel="Let It Continue"
      onConfirm={() => run({ params: { id: String(id) } })}
      trigger={
        <Button variant="secondary" size="sm">
          Let it continue
        </Button>
      }
    />
  )
}
