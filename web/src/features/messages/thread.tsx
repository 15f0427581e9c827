import { useRef } from 'react'
import { ErrorState } from '../../ui/error-state.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { MessageBubble, OutgoingBubble } from './message-bubble.tsx'
import { dayName } from './moments.ts'
import { OfferLine } from './offer-line.tsx'
import type { Outbox } from './outbox.ts'
import type { Parties } from './parties.ts'
import type { Entry } from './thread-entries.ts'
import { TransactionCard } from './transaction-card.tsx'
import { type OlderMessages, useOlder } from './use-older.ts'
import { useThreadScroll } from './use-thread-scroll.ts'
import { useToastRoom } from './use-toast-room.ts'

interface Props {
  parties: Parties
  entries: readonly Entry[]
  messages: OlderMessages & {
    isPending: boolean
    isLoadingError: boolean
    isFetching: boolean
    refetch: () => unknown
  }
  outbox: Outbox
}

/** The thread, oldest at the top. It opens at its end and stays there while the reader does. */
export function Thread({ parties, entries, messages, outbox }: Props) {
  const view = useRef<HTMLDivElement>(null)
  const top = useRef<HTMLDivElement>(null)
  useThreadScroll(view, entries)
  useOlder(view, top, messages)
  useToastRoom(view)
  return (
    <div
      ref={view}
      role="log"
      aria-label="Messages"
      aria-busy={messages.isPending || messages.isFetchingNextPage}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative min-h-0 overflow-y-auto overscroll-contain -outline-offset-2 [overflow-anchor:none] xl:col-start-1 xl:row-start-2"
    >
      {/* The space around it belongs to what scrolls, so that the thread can give way to the last pixel. */}
      <div className="flex min-h-full flex-col justify-end p-4">
        <div ref={top} className="mb-auto grid min-h-px place-items-center text-ink-soft">
          {(messages.isPending || messages.hasNextPage) && <Spinner className="my-2" />}
        </div>
        {messages.isLoadingError && (
          <ErrorState onRetry={() => void messages.refetch()} busy={messages.isFetching} />
        )}
        {!messages.isPending && !messages.isLoadingError && entries.length === 0 && (
          <FirstWordsHint {...parties} />
        )}
        <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {entries.map((entry) => (
            <li
              key={entry.key}
              data-anchor={entry.kind === 'day' ? undefined : ''}
              className="grid grid-cols-[minmax(0,1fr)]"
            >
              <EntryShown entry={entry} parties={parties} outbox={outbox} />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function EntryShown({ entry, parties, outbox }: { entry: Entry; parties: Parties; outbox: Outbox }) {
  switch (entry.kind) {
    case 'day':
      return <DayLine at={entry.at} />
    case 'message':
      return <MessageBubble message={entry.message} mine={entry.message.senderId === parties.me} />
    case 'outgoing':
      return (
        <OutgoingBubble
          message={entry.outgoing}
          onRetry={() => outbox.retry(entry.outgoing)}
          onDiscard={() => outbox.discard(entry.outgoing)}
        />
      )
    case 'step':
      return <OfferLine step={entry.step} parties={parties} />
    case 'payment':
      return <TransactionCard payment={entry.payment} me={parties.me} />
  }
}

function DayLine({ at }: { at: Date }) {
  return (
    <div className="flex items-center gap-3 pt-2 text-fine text-ink-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      <time dateTime={at.toISOString()}>{dayName(at, new Date())}</time>
    </div>
  )
}

function FirstWordsHint({ other, item }: Parties) {
  return (
    <p className="mx-auto mb-auto max-w-slip py-8 text-center text-ink-soft">
      Nothing said so far. Tell {other.name} what you know about “{item.title}”: its condition, where it is,
      when it could be handed over.
    </p>
  )
}
