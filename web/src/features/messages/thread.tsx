import type { Payment } from '@sought/contract/payments'
import { type RefObject, useEffect, useId, useRef } from 'react'
import type { CallError } from '../../data/client.ts'
import { formatMoney } from '../../format/money.ts'
import { getDealStep } from '../../shared/deals/deal-step.ts'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { getPaymentLabel } from '../../shared/deals/payment-status.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import type { Parties } from '../../shared/offers/parties.ts'
import { PhotoGrid } from '../../shared/photos/photo-grid.tsx'
import { Money } from '../../ui/display/money.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { MessageBubble, OutgoingBubble } from './message-bubble.tsx'
import { formatDay, formatTime } from './message-dates.ts'
import type { OfferEvent } from './offer-events.ts'
import type { Outbox } from './outbox.ts'
import type { Entry } from './thread-entries.ts'
import { useThreadScroll } from './use-thread-scroll.ts'
import { useToastPosition } from './use-toast-position.ts'

interface Props {
  parties: Parties
  entries: readonly Entry[]
  messages: OlderMessages & {
    isPending: boolean
    isLoadingError: boolean
    error: CallError | null
    isFetching: boolean
    refetch: () => unknown
  }
  outbox: Outbox
}

/** The oldest entry is at the top. The thread opens scrolled to its end. */
export function Thread({ parties, entries, messages, outbox }: Props) {
  const view = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  useThreadScroll(view, entries)
  useLoadOlder(view, top, messages)
  useToastPosition(view)
  return (
    <div
      ref={view}
      role="log"
      aria-label="Messages"
      aria-busy={messages.isPending || messages.isFetchingNextPage}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it by keyboard
      tabIndex={0}
      className="relative min-h-0 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none] xl:col-start-1 xl:row-start-2"
    >
      {/* The padding is inside the scroll area, so that the thread can shrink to nothing. */}
      <div className="flex min-h-full flex-col justify-end p-4">
        <div ref={top} className="mb-auto grid min-h-px place-items-center text-ink-soft">
          {(messages.isPending || messages.hasNextPage) && <Spinner className="my-2" />}
        </div>
        {messages.isLoadingError && (
          <ErrorState
            reference={messages.error?.requestId}
            onRetry={() => void messages.refetch()}
            busy={messages.isFetching}
          />
        )}
        {!messages.isPending && !messages.isLoadingError && entries.length === 0 && (
          <FirstMessageHint {...parties} />
        )}
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {entries.map((entry) => (
            <li
              key={entry.key}
              data-anchor={entry.kind === 'day' ? undefined : ''}
              className="grid grid-cols-[minmax(0,1fr)]"
            >
              <EntryContent entry={entry} parties={parties} outbox={outbox} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function EntryContent({ entry, parties, outbox }: { entry: Entry; parties: Parties; outbox: Outbox }) {
  switch (entry.kind) {
    case 'day':
      return <DayLine at={entry.at} />
    case 'message':
      return <MessageBubble message={entry.message} isOwn={entry.message.senderId === parties.me} />
    case 'outgoing':
      return (
        <OutgoingBubble
          message={entry.outgoing}
          onRetry={() => outbox.retry(entry.outgoing)}
          onDiscard={() => outbox.discard(entry.outgoing)}
        />
      )
    case 'offer':
      return <OfferEventLine event={entry.event} parties={parties} />
    case 'payment':
      return <TransactionCard payment={entry.payment} userId={parties.me} />
  }
}

function DayLine({ at }: { at: Date }) {
  return (
    <div className="flex items-center gap-3 pt-2 text-fine text-ink-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <time dateTime={at.toISOString()}>{formatDay(at, new Date())}</time>
    </div>
  )
}

function FirstMessageHint({ other, item }: Parties) {
  return (
    <p className="mx-auto mb-auto max-w-slip py-8 text-center text-ink-soft">
      No messages yet. Tell {other.name} about “{item.title}”: its condition, where it is, and when you could
      hand it over.
    </p>
  )
}

function OfferEventLine({ event, parties }: { event: OfferEvent; parties: Parties }) {
  const amount = formatMoney(event.offer.amount, event.offer.currency)
  const { action, actorId, offer, at } = event
  const isNew = action === 'offered' || action === 'countered'
  return (
    <div className="mx-auto grid max-w-[95%] justify-items-center gap-0.5 py-1 text-center text-fine sm:max-w-[85%]">
      <p className="text-balance">
        <span className="font-strong">{actorId === parties.me ? 'You' : parties.other.name}</span>{' '}
        {describeAction(action, amount, offer.proposedBy === 'buyer')}
        <time dateTime={at.toISOString()} className="ml-2 text-ink-soft">
          {formatTime(at)}
        </time>
      </p>
      {isNew && <PhotoGrid photos={offer.photos} isOwn={actorId === parties.me} className="mt-1" />}
      {isNew && offer.message && (
        <p className="whitespace-pre-line text-balance text-ink-soft [overflow-wrap:anywhere]">
          “{offer.message}”
        </p>
      )}
    </div>
  )
}

function describeAction(action: OfferEvent['action'], amount: string, isCounter: boolean): string {
  if (action === 'offered') return `offered ${amount}`
  if (action === 'countered') return `countered with ${amount}`
  return `${action} the ${isCounter ? 'counter-offer' : 'offer'} of ${amount}`
}

function TransactionCard({ payment, userId }: { payment: Payment; userId: string }) {
  const titleId = useId()
  const { status, buyerId } = payment
  const party = buyerId === userId ? 'buyer' : 'seller'
  const step = getDealStep(payment, party)
  return (
    <article
      aria-labelledby={titleId}
      className="mx-auto grid w-full max-w-slip gap-4 rounded-card border border-line p-4"
    >
      <div className="flex items-start justify-between gap-4">
        <h3 id={titleId} className="font-strong">
          Transaction update
        </h3>
        <Money
          amount={formatMoney(payment.amount, payment.currency)}
          where={getPaymentLabel(payment, party)}
          className="text-right"
        />
      </div>
      <PaymentProgress payment={payment} reader={party} />
      {status !== 'pending' && (
        <LinkButton to={step.to} variant={step.isWaiting ? 'primary' : 'secondary'} size="sm">
          {step.label}
        </LinkButton>
      )}
    </article>
  )
}

interface OlderMessages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

const LOAD_AHEAD_PX = 200

/** Loads older messages when the user scrolls near the top of the thread. */
function useLoadOlder(
  view: RefObject<HTMLElement | null>,
  top: RefObject<HTMLElement | null>,
  { hasNextPage, isFetchingNextPage, fetchNextPage }: OlderMessages,
): void {
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !top.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void fetchNextPage()
      },
      { root: view.current, rootMargin: `${LOAD_AHEAD_PX}px 0px 0px` },
    )
    observer.observe(top.current)
    return () => observer.disconnect()
  }, [view, top, hasNextPage, isFetchingNextPage, fetchNextPage])
}
