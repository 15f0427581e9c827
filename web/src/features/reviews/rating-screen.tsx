import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import { submitRating } from '@sought/contract/payments'
import { NewReview, REVIEW_DAYS } from '@sought/contract/reviews'
import { useLocation, useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { formatMoney } from '../../format/money.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { useFirstCurrency } from '../../shared/market/currency.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { useTimeout } from '../../shared/time/use-timeout.ts'
import { Stars } from '../../ui/display/stars.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ReviewedDeal } from './reviewed-deal.tsx'
import { WriteReview } from './write-review.tsx'

const PAYMENTS_REDIRECT_MS = 2_000
const BLIND = `Your rating is shown once the seller has reviewed you too, or ${REVIEW_DAYS} days after the end of the deal. You cannot change it later.`

/** The sale as described by the address. Only for display: the server uses only the payment id. */
interface Sale {
  paymentId: string
  sellerName: string
  itemTitle: string
  amountCents: number | null
}

export function RatingScreen() {
  const [query] = useSearchParams()
  const paymentId = query.get('paymentId')
  if (!paymentId || !PathId.safeParse(paymentId).success) return <InvalidPayment />
  const amount = Number(query.get('amount'))
  return (
    <Rating
      key={paymentId}
      sale={{
        paymentId,
        sellerName: query.get('sellerName') || 'the seller',
        itemTitle: query.get('itemTitle') || '',
        amountCents: Number.isSafeInteger(amount) && amount > 0 ? amount : null,
      }}
    />
  )
}

function Rating({ sale }: { sale: Sale }) {
  const draft = useDraft()
  return draft.isSent ? <SentRating sale={sale} sent={draft} /> : <RatingForm sale={sale} draft={draft} />
}

/** The rating sent together with the confirmation of the delivery. */
function SentRating({ sale, sent }: { sale: Sale; sent: Draft }) {
  return (
    <Page
      title="Thank you!"
      lead={`Your rating of ${sale.sellerName} has been submitted.`}
      width="column"
      back={<BackButton fallback={paths.payments()} />}
    >
      <Card padding="lg" className="mb-8 grid gap-6">
        <SaleSummary sale={sale} />
        <Stars value={sent.rating} />
        {sent.feedback && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{sent.feedback}</p>}
      </Card>
      <LinkButton to={paths.payments()}>My Transactions</LinkButton>
    </Page>
  )
}

/** Sends the rating, then goes to the transactions. */
function RatingForm({ sale, draft }: { sale: Sale; draft: Draft }) {
  const [, navigate] = useLocation()
  const startTimeout = useTimeout()
  const form = useContractForm(submitRating, {
    schema: NewReview,
    values: { rating: draft.rating, tags: [], text: draft.feedback },
    input: ({ rating, tags, text }) => ({
      params: { id: sale.paymentId },
      body: { rating, feedback: text, ...(tags.length > 0 && { tags }) },
    }),
    success: { title: 'Thank you!', description: 'Your rating has been submitted.' },
    // These statuses are final, so "try again" would be wrong: the server's message says why.
    failure: ({ status, userMessage }) => ({
      title: 'Error',
      description:
        ([403, 404, 409].includes(status) && userMessage) || 'Failed to submit rating. Please try again.',
    }),
    onDone: () => startTimeout(() => navigate(paths.payments()), PAYMENTS_REDIRECT_MS),
  })
  return (
    <WriteReview
      title={`Rate ${sale.sellerName}`}
      lead="Other buyers can see your rating and feedback."
      name="Rating"
      textLabel="Feedback"
      about="seller"
      // A rating cannot be sent again while its success is shown.
      form={{ ...form, isBusy: form.isBusy || form.isSuccess }}
      laterPath={paths.payments()}
      note={BLIND}
    >
      <SaleSummary sale={sale} />
    </WriteReview>
  )
}

function SaleSummary({ sale: { itemTitle, amountCents } }: { sale: Sale }) {
  const currency = useFirstCurrency()
  if (!itemTitle && amountCents === null) return null
  return (
    <ReviewedDeal
      itemTitle={itemTitle}
      amount={amountCents === null ? null : formatMoney(amountCents, currency)}
    />
  )
}

/** The rating and feedback that were entered on the delivery screen, and whether they were sent there. */
interface Draft {
  rating: number
  feedback: string
  isSent: boolean
}

function useDraft(): Draft {
  const state: { rating?: unknown; feedback?: unknown; isSent?: unknown } | null = useHistoryState()
  return {
    isSent: state?.isSent === true,
    rating: typeof state?.rating === 'number' ? state.rating : 0,
    feedback: typeof state?.feedback === 'string' ? state.feedback : '',
  }
}

function InvalidPayment() {
  return (
    <ErrorPage
      title="Invalid Payment"
      action={<LinkButton to={paths.payments()}>My Transactions</LinkButton>}
    >
      Invalid payment information.
    </ErrorPage>
  )
}
