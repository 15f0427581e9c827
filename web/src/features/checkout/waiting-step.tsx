import type { ReplyOf } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { type createEscrowPayment, getPayment } from '@sought/contract/payments'
import { useEffect, useEffectEvent } from 'react'
import { useRead } from '../../data/calls.ts'
import { getPaymentLabel } from '../../shared/deals/payment-status.ts'
import { describeWait, StopWaiting } from '../../shared/deals/waiting-payment.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Button } from '../../ui/forms/button.tsx'

interface Props {
  payment: ReplyOf<typeof createEscrowPayment> & { amount: number }
  /** The payment has failed or succeeded in the meantime. */
  onChange: () => void
}

/** Shown instead of the form once the payment was submitted, because it must not be paid twice. */
export function WaitingStep({ payment, onChange }: Props) {
  const { paymentId, instructionsUrl, waitsFor, method } = payment
  const current = useRead(getPayment, { params: { id: String(paymentId) } }).data
  const hasChanged =
    current !== undefined &&
    (current.status !== 'pending' || current.method !== method || current.waitsFor !== waitsFor)
  const report = useEffectEvent(onChange)
  useEffect(() => {
    if (hasChanged) report()
  }, [hasChanged])
  return (
    <div className="grid justify-items-start gap-5">
      <div role="status">
        <h2 className="font-display font-strong text-title">
          {getPaymentLabel({ ...payment, status: 'pending' }, 'buyer')}
        </h2>
        <p className="mt-1 text-ink-soft">{describeWait(payment, 'buyer')}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {instructionsUrl && (
          <Button asChild>
            <a href={instructionsUrl} target="_blank" rel="noreferrer">
              Verify Account
            </a>
          </Button>
        )}
        <LinkButton to={paths.deal(paymentId)} variant="secondary">
          View Deal
        </LinkButton>
        {waitsFor === 'buyer' && <StopWaiting paymentId={paymentId} onStopped={onChange} />}
      </div>
    </div>
  )
}
