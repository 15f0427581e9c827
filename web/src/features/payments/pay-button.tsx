import { LockKeyhole } from 'lucide-react'
import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'
import { Button } from '../../ui/button.tsx'

interface PayButtonProps {
  amountCents: number
  busy: boolean
  /** The form is not there yet. */
  disabled?: boolean
}

/** Says what happens, and then shows that it does: under way, it cannot be pressed again. */
export function PayButton({ amountCents, busy, disabled = false }: PayButtonProps) {
  const currency = useCurrency()
  return (
    <div className="grid gap-2">
      <Button type="submit" size="lg" wide busy={busy} disabled={disabled}>
        <LockKeyhole aria-hidden="true" />
        Pay {formatCents(amountCents, currency)} into escrow
      </Button>
      <p role="status" className="text-center text-fine text-ink-soft">
        {busy ? 'Asking your bank. Please stay on this page.' : 'The seller is paid after you have it.'}
      </p>
    </div>
  )
}
