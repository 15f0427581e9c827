import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPayment, type PaymentWithItem } from '@sought/contract/payments'
import { canMove, partyIn } from '@sought/escrow/moves'
import { Link, useLocation, useParams } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { useSession } from '../../lib/session.ts'
import { useTimeout } from '../../lib/use-timeout.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { describeBankReview } from './payment-state.ts'
import { PaymentNotFound, PaymentUnavailable } from './payment-unavailable.tsx'
import { type DraftRating, getRatingPath } from './rating-path.ts'

const RATING_REDIRECT_MS = 1_500

/** Where the buyer confirms delivery or reports a problem. */
export function DeliveryScreen() {
  const { paymentId } = useParams<{ paymentId: string }>()
  const isId = PathId.safeParse(paymentId).success
  const payment = useRead(getPayment, { params: { id: paymentId } }, { staleMs: 0, enabled: isId })
  if (!isId) return <PaymentNotFound />
  return (
    <Loaded query={payment} notFound={<PaymentNotFound />}>
      {(it) => <Delivery payment={it} />}
    </Loaded>
  )
}

function Delivery({ payment }: { payment: PaymentWithItem }) {
  const session = useSession()
  const [, navigate] = useLocation()
  const startTimeout = useTimeout()
  if (session.state !== 'signed-in') return null
  if (partyIn(payment, session.user.id) !== 'buyer') return <NotTheBuyer />

  // The timer is set here because the buttons disappear with the new status.
  const openRating = (draft: DraftRating) =>
    startTimeout(() => navigate(getRatingPath(payment), { state: draft }), RATING_REDIRECT_MS)
  const isCompleted = payment.status === 'completed'
  const canConfirm = payment.status === 'pending' || canMove(payment.status, 'confirm', 'buyer')
  return (
    <Page
      title={isCompleted ? 'Delivery Already Confirmed' : canConfirm ? 'Confirm Delivery' : 'Delivery'}
      lead={isCompleted ? `The payment has been released to ${payment.seller.name}.` : undefined}
      back={<BackButton fallback={paths.messages()} />}
    >
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <DeliverySummary payment={payment} />
        {isCompleted ? (
          <Confirmed payment={payment} />
        ) : (
          <DeliveryActions payment={payment} onConfirmed={openRating} />
        )}
      </div>
    </Page>
  )
}

function NotTheBuyer() {
  return (
    <PaymentUnavailable title="Access Denied">
      Only the buyer can confirm delivery for this payment.
    </PaymentUnavailable>
  )
}

function Confirmed({ payment }: { payment: PaymentWithItem }) {
  const bankReview = describeBankReview(payment, 'buyer')
  return (
    <div className="grid gap-4">
      {bankReview && <Notice tone="warning">{bankReview}</Notice>}
      <p className="text-ink-soft">
        {payment.rated
          ? 'You have rated this seller. There is nothing left to do.'
          : 'How was it? Your rating helps other buyers.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {!payment.rated && (
          <Button asChild>
            <Link href={getRatingPath(payment)}>Rate Seller</Link>
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link href={paths.home()}>Back to Home</Link>
        </Button>
      </div>
    </div>
  )
}
