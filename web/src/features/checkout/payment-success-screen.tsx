import { paths, routes } from '@sought/contract/paths'
import {
  listPayments,
  type PaymentStatus,
  type PaymentWithItem,
  submitPayment,
} from '@sought/contract/payments'
import { type ReactNode, useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSend } from '../../data/use-send.ts'
import { formatMoney } from '../../format/money.ts'
import { getDealStep } from '../../shared/deals/deal-step.ts'
import { PaymentPath } from '../../shared/deals/payment-path.tsx'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { describeRelease } from '../../shared/deals/payment-state.ts'
import { getPaymentLabel, isDraft, isWaiting } from '../../shared/deals/payment-status.ts'
import { describeWait } from '../../shared/deals/waiting-payment.tsx'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Money } from '../../ui/display/money.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'

const POLL_MS = 3_000

/** The page after the card form or the bank's authentication. Shows the current status of the payment. */
export function PaymentSuccessScreen() {
  const [query] = useSearchParams()
  const intentId = query.get('payment_intent')
  const hasFailed = query.get('redirect_status') === 'failed'
  useRemoveSecret(query)
  if (!intentId) return <UnknownPayment />
  return <PaymentResult intentId={intentId} hasFailed={hasFailed} />
}

/** Stripe adds the client secret to the return URL. It must not stay in the browser history. */
function useRemoveSecret(query: URLSearchParams): void {
  const [, navigate] = useLocation()
  const secret = query.get('payment_intent_client_secret')
  useEffect(() => {
    if (secret === null) return
    const cleaned = new URLSearchParams(window.location.search)
    cleaned.delete('payment_intent_client_secret')
    navigate(`${routes.paymentSuccess}?${cleaned}`, { replace: true })
  }, [secret, navigate])
}

function PaymentResult({ intentId, hasFailed }: { intentId: string; hasFailed: boolean }) {
  const pairs = useRead(
    listPayments,
    { query: { paymentIntent: intentId } },
    // Live updates report the change. Polling is the fallback.
    { pollMs: (reply) => (reply?.[0]?.payments.status === 'pending' ? POLL_MS : false) },
  )
  return (
    <Loaded query={pairs} loading={<Loading />}>
      {([pair]) => {
        if (!pair) return <UnknownPayment />
        const payment = { ...pair.payments, wantedItem: pair.wantedItem }
        if (hasFailed && payment.status === 'pending') return <FailedPayment payment={payment} />
        return isDraft(payment) ? (
          <UnconfirmedPayment payment={payment} />
        ) : (
          <PaymentStatusResult payment={payment} />
        )
      }}
    </Loaded>
  )
}

const headings = {
  pending: 'Processing your payment',
  held_in_escrow: 'Payment Successful',
  completed: 'Payment Released',
  refunded: 'Payment refunded',
  disputed: 'Payment in dispute',
  under_review: 'Payment in dispute',
  resolved_buyer: 'Payment refunded',
  resolved_seller: 'Payment Released',
  resolved_partial: 'Payment split',
} satisfies Record<PaymentStatus, string>

function PaymentStatusResult({ payment }: { payment: PaymentWithItem }) {
  const step = getDealStep(payment, 'buyer')
  return (
    <Result
      title={isWaiting(payment) ? getPaymentLabel(payment, 'buyer') : headings[payment.status]}
      lead={isWaiting(payment) ? describeWait(payment, 'buyer') : <Lead payment={payment} />}
      payment={payment}
      primaryAction={
        payment.waitsFor === 'buyer' && <CheckoutButton payment={payment}>Complete Payment</CheckoutButton>
      }
      secondaryAction={
        payment.status === 'held_in_escrow' && (
          <LinkButton to={step.to} variant="secondary">
            {step.label}
          </LinkButton>
        )
      }
    />
  )
}

/** It is not known yet whether the card step was submitted, so this asks the provider. */
function UnconfirmedPayment({ payment }: { payment: PaymentWithItem }) {
  const { mutate, isSuccess } = useSend(submitPayment)
  useEffect(() => mutate({ params: { id: String(payment.id) } }), [mutate, payment.id])
  return isSuccess ? <UnpaidPayment payment={payment} /> : <PaymentStatusResult payment={payment} />
}

function UnpaidPayment({ payment }: { payment: PaymentWithItem }) {
  return (
    <Result
      title="Not paid yet"
      lead="You were not charged. You can continue the payment."
      payment={payment}
      primaryAction={<CheckoutButton payment={payment}>Continue to Payment</CheckoutButton>}
    />
  )
}

function CheckoutButton({ payment, children }: { payment: PaymentWithItem; children: string }) {
  const { wantedItemId: itemId, offerId, amount } = payment
  return <LinkButton to={paths.escrowCheckout({ itemId, offerId, amount })}>{children}</LinkButton>
}

function Lead({ payment: { status, seller } }: { payment: PaymentWithItem }) {
  if (status === 'pending') {
    return 'Your bank is processing the payment. This page updates automatically when the money is in escrow.'
  }
  if (status === 'held_in_escrow') {
    return `Your payment is in escrow, and the seller is notified. ${seller.name} can now send the item.`
  }
  return 'The status of this payment has changed. See My Transactions for details.'
}

function FailedPayment({ payment }: { payment: PaymentWithItem }) {
  return (
    <Result
      title="Payment Failed"
      lead="Your bank did not confirm the payment. You were not charged."
      place="unpaid"
      payment={payment}
      primaryAction={<CheckoutButton payment={payment}>Try Again</CheckoutButton>}
    />
  )
}

interface ResultProps {
  title: string
  lead: ReactNode
  payment?: PaymentWithItem
  place?: 'unpaid'
  primaryAction?: ReactNode
  secondaryAction?: ReactNode
}

function Result({ title, lead, payment, place, primaryAction, secondaryAction }: ResultProps) {
  return (
    <Page title={title} lead={<span role="status">{lead}</span>} width="column">
      {payment && (
        <Card padding="lg" className="mb-8 grid gap-6">
          <div className="flex items-start justify-between gap-4">
            <p className="min-w-0 font-strong [overflow-wrap:anywhere]">{payment.wantedItem.title}</p>
            <Money amount={formatMoney(payment.amount, payment.currency)} size="title" />
          </div>
          {place ? (
            <PaymentPath at={place} />
          ) : (
            <PaymentProgress payment={payment} note={describeRelease(payment, 'buyer')} />
          )}
        </Card>
      )}
      <div className="flex flex-wrap gap-3 max-sm:grid">
        {primaryAction}
        <LinkButton to={paths.messages()} variant={primaryAction ? 'secondary' : 'primary'}>
          Go to Messages
        </LinkButton>
        {secondaryAction}
        <LinkButton to={paths.home()} variant="quiet">
          Back to Home
        </LinkButton>
      </div>
    </Page>
  )
}

/** Shown if the URL contains no payment, or a payment of another user. */
function UnknownPayment() {
  return (
    <ErrorPage
      title="No payment to show"
      action={
        <>
          <LinkButton to={paths.payments()}>My Transactions</LinkButton>
          <LinkButton to={paths.messages()} variant="secondary">
            Go to Messages
          </LinkButton>
          <LinkButton to={paths.home()} variant="secondary">
            Back to Home
          </LinkButton>
        </>
      }
    >
      This link does not belong to one of your payments. If you have just paid, you find the payment and its
      status in My Transactions.
    </ErrorPage>
  )
}

function Loading() {
  return (
    <Page title="Your payment" width="column">
      <Skeleton className="h-56" />
    </Page>
  )
}
