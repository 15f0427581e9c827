import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { getPayment } from '@sought/contract/payments'
import { canMove, partyIn } from '@sought/escrow/moves'
import { Link, useLocation, useParams } from 'wouter'
import { BackButton } from '../../lib/back-button.tsx'
import { useRead } from '../../lib/calls.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { useSession } from '../../lib/session.ts'
import { useTimeout } from '../../lib/use-timeout.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { NoPayment, PaymentNotFound } from './dead-ends.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliverySummary } from './delivery-summary.tsx'
import { type DraftRating, ratingPath } from './rating-path.ts'
import type { ShownPayment } from './shown-payment.ts'

const RATING_REDIRECT_MS = 1_500

/** The buyer has the thing, or something is wrong with it. */
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

function Delivery({ payment }: { payment: ShownPayment }) {
  const session = useSession()
  const [, navigate] = useLocation()
  const startTimeout = useTimeout()
  if (session.state !== 'signed-in') return null
  if (partyIn(payment, session.user.id) !== 'buyer') return <NotTheBuyer />

  // Kept here, above what the new status takes off the screen.
  const goRate = (draft: DraftRating) =>
    startTimeout(() => navigate(ratingPath(payment), { state: draft }), RATING_REDIRECT_MS)
  const isOver = payment.status === 'completed'
  const isOpen = payment.status === 'pending' || canMove(payment.status, 'confirm', 'buyer')
  return (
    <Page
      title={isOver ? 'Delivery Already Confirmed' : isOpen ? 'Confirm Delivery' : 'Delivery'}
      lead={isOver ? `The money has gone to ${payment.seller.name}.` : undefined}
      back={<BackButton fallback={paths.messages()} />}
    >
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <DeliverySummary payment={payment} />
        {isOver ? (
          <Confirmed payment={payment} />
        ) : (
          <DeliveryActions payment={payment} onConfirmed={goRate} />
        )}
      </div>
    </Page>
  )
}

function NotTheBuyer() {
  return <NoPayment title="Access Denied">Only the buyer can confirm delivery for this payment.</NoPayment>
}

function Confirmed({ payment }: { payment: ShownPayment }) {
  return (
    <div className="grid gap-4">
      <p className="text-ink-soft">
        {payment.rated
          ? 'You have rated this seller. Nothing is left to do.'
          : 'How was it? A word on the seller helps the next buyer.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {!payment.rated && (
          <Button asChild>
            <Link href={ratingPath(payment)}>Rate Seller</Link>
          </Button>
        )}
        <Button asChild variant="secondary">
          <Link href={paths.home()}>Back to Home</Link>
        </Button>
      </div>
    </div>
  )
}
