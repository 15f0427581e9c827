import { paths, routes } from '@sought/contract/paths'
import { listPayments, type PaymentStatus } from '@sought/contract/payments'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { useCurrency } from '../../lib/currency.ts'
import { Loaded } from '../../lib/loaded.tsx'
import { formatCents } from '../../lib/money.ts'
import { paymentPlaces } from '../../lib/payment-status.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { PaymentPath } from '../../ui/payment-path.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PaymentNotFound } from './dead-ends.tsx'
import { releaseNote, type ShownPayment } from './shown-payment.ts'

const POLL_MS = 3_000

/** Where the card form and the bank's page lead to. It shows how things really stand, and follows them. */
export function PaymentSuccessScreen() {
  const [query] = useSearchParams()
  const intentId = query.get('payment_intent')
  const failed = query.get('redirect_status') === 'failed'
  useTidyAddress(query)
  if (!intentId) return <Unnamed />
  return <Followed intentId={intentId} failed={failed} />
}

/** The provider hands the intent's secret back in the address, where it has no business to stay. */
function useTidyAddress(query: URLSearchParams): void {
  const [, navigate] = useLocation()
  const secret = query.get('payment_intent_client_secret')
  useEffect(() => {
    if (secret === null) return
    const tidied = new URLSearchParams(window.location.search)
    tidied.delete('payment_intent_client_secret')
    navigate(`${routes.paymentSuccess}?${tidied}`, { replace: true })
  }, [secret, navigate])
}

function Followed({ intentId, failed }: { intentId: string; failed: boolean }) {
  const pairs = useRead(
    listPayments,
    { query: { paymentIntent: intentId } },
    // The news comes by itself; this is for when it does not.
    { staleMs: 0, pollMs: (answer) => (answer?.[0]?.payments.status === 'pending' ? POLL_MS : false) },
  )
  return (
    <Loaded query={pairs} loading={<Loading />}>
      {([pair]) => {
        if (!pair) return <PaymentNotFound />
        const payment = { ...pair.payments, wantedItem: pair.wantedItem }
        return failed && payment.status === 'pending' ? (
          <Failed payment={payment} />
        ) : (
          <Standing payment={payment} />
        )
      }}
    </Loaded>
  )
}

const headings = {
  pending: 'Processing your payment',
  held_in_escrow: 'Payment Successful',
  completed: 'Payment Released',
  disputed: 'Payment in dispute',
  under_review: 'Payment in dispute',
  resolved_buyer: 'Payment refunded',
  resolved_seller: 'Payment Released',
  resolved_partial: 'Payment shared',
} satisfies Record<PaymentStatus, string>

function Standing({ payment }: { payment: ShownPayment }) {
  return (
    <Result
      title={headings[payment.status]}
      lead={<Lead payment={payment} />}
      payment={payment}
      later={
        payment.status === 'held_in_escrow' && (
          <Button asChild variant="secondary">
            <Link href={paths.delivery(payment.id)}>Confirm Delivery</Link>
          </Button>
        )
      }
    />
  )
}

function Lead({ payment: { status, seller } }: { payment: ShownPayment }) {
  if (status === 'pending') {
    return 'Your bank has been asked. This page shows by itself when the money is in escrow.'
  }
  if (status === 'held_in_escrow') {
    return `Your payment is in escrow, and the seller is notified: ${seller.name} can send it now.`
  }
  return 'This payment has moved on since. My Transactions shows the whole of it.'
}

function Failed({ payment }: { payment: ShownPayment }) {
  const { wantedItemId: itemId, offerId, amount } = payment
  return (
    <Result
      title="Payment Failed"
      lead="Your bank did not confirm that it was you. Nothing was charged."
      place="unpaid"
      payment={payment}
      first={
        <Button asChild>
          <Link href={paths.escrowCheckout({ itemId, offerId, amount })}>Try Again</Link>
        </Button>
      }
    />
  )
}

interface ResultProps {
  title: string
  lead: ReactNode
  payment?: ShownPayment
  place?: 'unpaid'
  /** What there is to do before anything else. */
  first?: ReactNode
  /** What there will be to do some day. */
  later?: ReactNode
}

function Result({ title, lead, payment, place, first, later }: ResultProps) {
  const currency = useCurrency()
  return (
    <Page title={title} lead={<span role="status">{lead}</span>} width="column">
      {payment && (
        <Card padding="lg" className="mb-8 grid gap-6">
          <div className="flex items-start justify-between gap-4">
            <p className="min-w-0 font-strong [overflow-wrap:anywhere]">{payment.wantedItem.title}</p>
            <Money amount={formatCents(payment.amount, currency)} size="title" />
          </div>
          <PaymentPath at={place ?? paymentPlaces[payment.status]} note={releaseNote(payment)} />
        </Card>
      )}
      <div className="flex flex-wrap gap-3 max-sm:grid">
        {first}
        <Button asChild variant={first ? 'secondary' : 'primary'}>
          <Link href={paths.messages()}>Go to Messages</Link>
        </Button>
        {later}
        <Button asChild variant="quiet">
          <Link href={paths.home()}>Back to Home</Link>
        </Button>
      </div>
    </Page>
  )
}

/** Somebody came without saying from which payment. */
function Unnamed() {
  return (
    <Result
      title="Payment Successful"
      lead={
        <>
          Your payment is in escrow, and the seller is notified.{' '}
          <Link href={paths.payments()} className="link">
            My Transactions
          </Link>{' '}
          shows where it stands.
        </>
      }
    />
  )
}

function Loading() {
  return (
    <Page title="Your payment" width="column">
      <Skeleton className="h-56" />
    </Page>
  )
}
