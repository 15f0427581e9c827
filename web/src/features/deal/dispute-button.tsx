import { paths } from '@sought/contract/paths'
import { disputePayment, type PaymentWithItem } from '@sought/contract/payments'
import { useLocation } from 'wouter'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../shared/forms/form-dialog.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

const DEFAULT_REASON = 'Product not as described'
const REASON_MAX_LENGTH = 2000

interface DisputeButtonProps {
  payment: PaymentWithItem
  reason: string
  onReasonChange: (reason: string) => void
  onSubmitted: () => void
}

export function DisputeButton({ payment, reason, onReasonChange, onSubmitted }: DisputeButtonProps) {
  const [, navigate] = useLocation()
  const form = useContractForm(disputePayment, {
    values: { reason },
    input: (entered) => ({
      params: { id: String(payment.id) },
      body: { reason: entered.reason.trim() || DEFAULT_REASON },
    }),
    success: {
      title: 'Dispute submitted',
      description: 'The money stays in escrow until the dispute is resolved.',
    },
    failure: explainFailure('Failed to submit dispute'),
    // Not in onDone, because a live update may remove this button before the response arrives.
    onSuccess: () => {
      onSubmitted()
      navigate(paths.messages())
    },
  })
  return (
    <ConfirmForm
      form={form}
      tone="danger"
      title="Report a problem?"
      description="The money stays in escrow while our team reviews what you and the seller say."
      confirmLabel="Submit Dispute"
      trigger={
        <Button variant="secondary" wide>
          Report a Problem
        </Button>
      }
    >
      <TextArea
        label="What went wrong?"
        optional
        rows={3}
        maxLength={REASON_MAX_LENGTH}
        hint={`If you leave it empty, the reason is “${DEFAULT_REASON}”. You can add files afterwards.`}
        {...form.field('reason', { onChange: ({ target }) => onReasonChange(target.value) })}
      />
    </ConfirmForm>
  )
}
