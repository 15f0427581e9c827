import { confirmDelivery, confirmDeliveryManually, type PaymentWithItem } from '@sought/contract/payments'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatCents } from '../../format/money.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'

interface ConfirmButtonProps {
  payment: PaymentWithItem
  /** First asks the card provider about the payment, if its webhook has not arrived. */
  manually?: boolean
  /** Called before the request, and then `onAnswered` with its result. */
  onConfirming: () => void
  onAnswered: (isConfirmed: boolean) => void
  children: string
}

/** Releasing the money cannot be undone, so it needs a confirmation. */
export function ConfirmButton({
  payment,
  manually = false,
  onConfirming,
  onAnswered,
  children,
}: ConfirmButtonProps) {
  const amount = formatCents(payment.amount, payment.currency)
  const { run } = useAction(manually ? confirmDeliveryManually : confirmDelivery, {
    success: {
      title: 'Delivery confirmed!',
      description: `${amount} has been released to ${payment.seller.name}.`,
    },
    failure: explainFailure('Failed to confirm delivery'),
  })
  const confirm = async () => {
    onConfirming()
    onAnswered(await run({ params: { id: String(payment.id) } }))
  }
  return (
    <ConfirmDialog
      title={`Release ${amount} to ${payment.seller.name}?`}
      description="You confirm that you received the item and that it is as described. This cannot be undone."
      confirmLabel={`Release ${amount}`}
      cancelLabel="Not Yet"
      onConfirm={confirm}
      trigger={
        <Button size="lg" wide>
          {children}
        </Button>
      }
    />
  )
}
