import type { Currency } from '@sought/contract/currencies'
import { LockKeyhole } from 'lucide-react'
import { formatMoney } from '../../format/money.ts'
import { Button } from '../../ui/forms/button.tsx'

interface PayButtonProps {
  amountCents: number
  currency: Currency
  busy: boolean
  /** True while the form is loading. */
  disabled?: boolean
}

export function PayButton({ amountCents, currency, busy, disabled = false }: PayButtonProps) {
  return (
    <div className="grid gap-2">
      <Button type="submit" size="lg" wide busy={busy} disabled={disabled}>
        <LockKeyhole aria-hidden="true" />
        Pay {formatMoney(amountCents, currency)} into escrow
      </Button>
      <p role="status" className="text-center text-fine text-ink-soft">
        {busy ? 'Processing your payment. Please stay on this page.' : 'The seller is paid after delivery.'}
      </p>
    </div>
  )
}
