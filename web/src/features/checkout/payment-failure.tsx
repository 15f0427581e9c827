import { paths } from '@sought/contract/paths'
import { TextLink } from '../../shared/navigation/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import type { Failure } from './use-pay.ts'

interface PaymentFailureProps {
  failure: Failure | null
  /** What the user can do next. */
  advice: string
}

/** Says in the form why the payment failed, until the next attempt. The toast disappears after a few seconds. */
export function PaymentFailure({ failure, advice }: PaymentFailureProps) {
  if (!failure) return null
  if (failure.state === 'unexpected') {
    return (
      <Notice tone="danger" live title="We do not know whether the payment went through">
        You can try again: you are charged only once. Or look for it in{' '}
        <TextLink to={paths.payments()}>My Transactions</TextLink>.
      </Notice>
    )
  }
  return (
    <Notice tone="danger" live title={failure.message ?? 'Your bank did not accept the payment.'}>
      You were not charged. {advice}
    </Notice>
  )
}
