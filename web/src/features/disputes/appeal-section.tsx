import { APPEAL_MAX_LENGTH, appealRuling, RulingAppeal } from '@sought/contract/casework'
import { rulesOf } from '@sought/contract/currencies'
import type { Appeal, Dispute } from '@sought/contract/disputes'
import { calculateFees } from '@sought/escrow/fees'
import { explainFailure } from '../../data/use-action.ts'
import { formatDate, formatDateTime } from '../../format/dates.ts'
import { describeTimeLeft, isPast } from '../../format/time-left.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { FormDialog } from '../../shared/forms/form-dialog.tsx'
import { useNow } from '../../shared/time/use-now.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { Card } from '../../ui/layout/card.tsx'

interface AppealSectionProps {
  dispute: Dispute
  party: 'buyer' | 'seller'
  /** Null unless an admin has ruled. */
  until: string | null
  appeals: readonly Appeal[]
}

/** Both parties' appeals against the ruling, and the button to appeal as long as it is possible. */
export function AppealSection({ dispute, party, until, appeals }: AppealSectionProps) {
  const now = useNow()
  if (until === null) return null
  const own = appeals.find(({ by }) => by === party)
  const canAppeal = !own && !isPast(until, now) && hasSomethingAtStake(dispute, party)
  if (!canAppeal && appeals.length === 0) return null
  return (
    <section aria-label="Appeal" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="font-display font-strong text-title">Appeal</h2>
      {appeals.map((appeal) => (
        <AppealCard key={appeal.id} appeal={appeal} dispute={dispute} party={party} />
      ))}
      {canAppeal && (
        <>
          <p className="text-ink-soft">
            {`If you think that the ruling is wrong, you can appeal until ${formatDateTime(until)} (${describeTimeLeft(until, now)}). An admin who did not make the ruling reviews it. You can appeal once.`}
          </p>
          <AppealButton dispute={dispute} />
        </>
      )}
    </section>
  )
}

/** A party that received everything has nothing to gain. */
function hasSomethingAtStake(dispute: Dispute, party: 'buyer' | 'seller'): boolean {
  const refund = dispute.refundCents ?? 0
  if (party === 'buyer') return refund < dispute.amount
  const payout = (cents: number) => calculateFees(cents, dispute, rulesOf(dispute.currency)).payout
  return payout(dispute.amount - refund) < payout(dispute.amount)
}

const outcomes = {
  uphold: { label: 'Rejected', tone: 'outline' },
  overturn: { label: 'Granted', tone: 'accent' },
} as const

interface AppealCardProps extends Pick<AppealSectionProps, 'dispute' | 'party'> {
  appeal: Appeal
}

function AppealCard({ appeal, dispute, party }: AppealCardProps) {
  const { by, reason, createdAt, decision, note, decidedAt } = appeal
  const outcome = decision && outcomes[decision]
  const isOwn = by === party
  return (
    <Card className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-strong">{isOwn ? 'Your appeal' : `Appeal by ${dispute[by].name}`}</span>
        <Badge tone={outcome?.tone ?? 'attention'}>{outcome?.label ?? 'Under review'}</Badge>
      </p>
      <p className="whitespace-pre-line [overflow-wrap:anywhere]">{reason}</p>
      <p className="text-fine text-ink-soft">Sent {formatDate(createdAt)}</p>
      {decision && (
        <div className="border-line border-t pt-3">
          <p className="font-strong">
            {decision === 'uphold' ? 'The ruling stays' : 'The ruling was overturned'}
            {decidedAt && `, ${formatDate(decidedAt)}`}
          </p>
          <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{note}</p>
          {decision === 'overturn' && (
            <p className="mt-1 text-fine text-ink-soft">
              {isOwn
                ? 'We pay what the ruling cost you from our own money.'
                : 'We pay from our own money. You keep what the ruling gave you.'}
            </p>
          )}
        </div>
      )}
    </Card>
  )
}

function AppealButton({ dispute }: { dispute: Dispute }) {
  const form = useContractForm(appealRuling, {
    schema: RulingAppeal,
    values: { reason: '' },
    input: (body) => ({ params: { paymentId: String(dispute.id) }, body }),
    success: { title: 'Appeal Sent', description: 'We’ll let you know what we decide.' },
    failure: explainFailure('Failed to send your appeal'),
  })
  return (
    <FormDialog
      form={form}
      name="Appeal"
      width="slip"
      title="Appeal against the ruling"
      description="You can appeal once. The other party can read your reason."
      trigger={<Button variant="secondary">Appeal</Button>}
      submitLabel="Send Appeal"
    >
      <TextArea
        label="Why is the ruling wrong?"
        rows={5}
        maxLength={APPEAL_MAX_LENGTH}
        {...form.field('reason')}
      />
    </FormDialog>
  )
}
