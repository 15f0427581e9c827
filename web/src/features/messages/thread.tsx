import { useRef } from 'react'
import type { CallError } from '../../data/client.ts'
import type { Parties } from '../../shared/offers/parties.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { MessageBubble, OutgoingBubble } from './message-bubble.tsx'
import { formatDay } from './message-dates.ts'
import { OfferEventLine } from './offer-event-line.tsx'
import type { Outbox } from './outbox.ts'
import type { Entry } from './thread-entries.ts'
import { TransactionCard } from './transaction-card.tsx'
import { type OlderMessages, useLoadOlder } from './use-load-older.ts'
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
