import { confirmDelivery, confirmDeliveryManually } from '@sought/contract/payments'
import { useState } from 'react'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { ShownPayment } from './shown-payment.ts'
import { usePaymentMove } from './use-payment-move.ts'

interface ConfirmButtonProps {
  payment: ShownPayment
  /** By asking the card service first, where its word has not come. */
  manually?: boolean
  onConfirmed: () => void
  children: string
}

/** Money moves, and does not come back: it is asked about once more. */
export function ConfirmButton({ payment, manually = false, onConfirmed, children }: ConfirmButtonProps) {
  const currency = useCurrency()
  const [asking, setAsking] = useState(false)
  const amount = formatCents(payment.amount, currency)
  const { move, busy } = usePaymentMove(manually ? confirmDeliveryManually : confirmDelivery, {
    failed: 'Failed to confirm delivery',
    onDone: () => {
      toast({ title: 'Delivery confirmed!', description: `${amount} is released to ${payment.seller.name}.` })
      onConfirmed()
    },
  })
  return (
    <ConfirmDialog
      title={`Release ${amount} to ${payment.seller.name}?`}
      description="You say that you have received it, and that it is as described. This cannot be undone."
      confirmLabel={`Release ${amount}`}
      cancelLabel="Not Yet"
      busy={busy}
      open={asking}
      onOpenChange={setAsking}
      onConfirm={async () => {
        await move({ params: { id: String(payment.id) } })
        setAsking(false)
      }}
      trigger={
        <Button size="lg" wide>
          {children}
        </Button>
      }
    />
  )
}
