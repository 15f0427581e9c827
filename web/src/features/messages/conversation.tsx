import { announceTyping, getPresence, listMessages, type Message } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { type DragEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import { send } from '../../data/client.ts'
import { hideTyping, useIsTyping } from '../../data/typing.ts'
import { formatRelativeTime } from '../../format/relative-time.ts'
import { BlockButton, useIsBlocked } from '../../shared/blocks/block-button.tsx'
import { BlockedNotice } from '../../shared/blocks/blocked-notice.tsx'
import { isDraft } from '../../shared/deals/payment-status.ts'
import { BackTo } from '../../shared/navigation/back-button.tsx'
import { isBetween, type Parties } from '../../shared/offers/parties.ts'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { picturesIn, usePhotos } from '../../shared/photos/use-photos.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Composer } from './composer.tsx'
import { photosKeyOf } from './draft-storage.ts'
import { OfferPanel } from './offer/offer-panel.tsx'
import { listOfferEvents } from './offer-events.ts'
import { useOutbox } from './outbox.ts'
import { Thread } from './thread.tsx'
import { listThreadEntries } from './thread-entries.ts'
import { useMarkRead } from './use-mark-read.ts'

const PAGE_SIZE = 50

/** The messages and offers between two people about one request. */
export function Conversation({ parties }: { parties: Parties }) {
  const messages = useReadPages(listMessages, {
    wantedItemId: String(parties.item.id),
    userId: parties.other.id,
    limit: String(PAGE_SIZE),
  })
  const isBlocked = useIsBlocked(parties.other.id)
  const outbox = useOutbox(parties, messages.data)
  const { offers, payments } = useOffersAndPayments(parties)
  const { heading, field } = useInitialFocus()
  useMarkRead(parties, messages.data)
  useHideTyping(parties, messages.data)
  const photos = usePhotos(photosKeyOf(parties))
  const { isDragOver, ...dropHandlers } = usePhotoDrop(photos.add)
  // Before the first message, there is nobody to notify.
  const hasBegun = (messages.data?.length ?? 0) > 0 || offers.length > 0
  const announceTyping = useAnnounceTyping(parties, hasBegun)
  const entries = listThreadEntries({
    messages: messages.data ?? [],
    hasOlder: messages.hasNextPage,
    outgoing: outbox.outgoing,
    events: listOfferEvents(offers),
    payments: payments.filter((payment) => !isDraft(payment)),
  })
  return (
    <section
      aria-label={`Conversation with ${parties.other.name}`}
      className={classNames(
        'grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto] xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_minmax(0,1fr)_auto]',
        isDragOver && 'bg-accent-wash outline-2 outline-accent outline-dashed -outline-offset-4',
      )}
      {...dropHandlers}
    >
      <Head parties={parties} heading={heading} hasBegun={hasBegun} />
      <OfferPanel parties={parties} offers={offers} payments={payments} isBlocked={isBlocked} />
      <Thread parties={parties} entries={entries} messages={messages} outbox={outbox} />
      {isBlocked ? (
        <div className="border-line border-t p-3 xl:col-start-1 xl:row-start-3">
          <BlockedNotice person={parties.other} />
        </div>
      ) : (
        <Composer
          parties={parties}
          field={field}
          photos={photos}
          onTyping={announceTyping}
          onSend={outbox.post}
        />
      )}
    </section>
  )
}

/** The offers and payments of this conversation, latest first. If loading payments fails, none are shown. */
function useOffersAndPayments(parties: Parties) {
  const query = { wantedItemId: String(parties.item.id) }
  const ofPair = { query: { ...query, userId: parties.other.id } }
  const offers = useRead(listOffers, ofPair).data ?? []
  const hasAccepted = offers.some(({ status }) => status === 'accepted')
  const pairs = useRead(listPayments, { query }, { enabled: hasAccepted }).data ?? []
  const payments = pairs.map((pair) => pair.payments).filter((payment) => isBetween(parties, payment))
  return { offers, payments }
}

/** Focuses the composer, or the heading on touch screens, where the keyboard would cover the messages. */
function useInitialFocus() {
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const hasMouse = window.matchMedia('(pointer: fine)').matches
    const target = hasMouse ? field : heading
    target.current?.focus({ preventScroll: true })
  }, [])
  return { heading, field }
}

interface HeadProps {
  parties: Parties
  heading: RefObject<HTMLHeadingElement | null>
  hasBegun: boolean
}

function Head({ parties, heading, hasBegun }: HeadProps) {
  const { other, item } = parties
  return (
    <header className="flex min-w-0 items-center gap-3 border-line border-b px-4 py-3 xl:col-span-2">
      <BackTo href={paths.messages()} className="shrink-0 md:hidden">
        Back
      </BackTo>
      <Avatar name={other.name} imageUrl={other.profileImageUrl} />
      <div className="grid min-w-0 grow">
        {/* Each link is 24 px high, so that a finger does not touch the other one. */}
        <div className="flex min-w-0 items-center justify-between gap-3">
          <h2 ref={heading} tabIndex={-1} className="min-w-0 font-strong">
            <PersonLink
              person={other}
              className="block truncate text-ink leading-6 no-underline hover:underline"
            />
          </h2>
          <PresenceLine parties={parties} enabled={hasBegun} />
        </div>
        <Link href={paths.item(item.id)} className="link truncate text-fine leading-6">
          {item.title}
        </Link>
      </div>
      <BlockButton person={other} size="sm" />
    </header>
  )
}

const POLL_MS = 30_000

/**
 * Whether the other person is typing or online, or when they last were. Empty if one of the two does not share it.
 */
function PresenceLine({ parties: { other, item }, enabled }: { parties: Parties; enabled: boolean }) {
  const isTyping = useIsTyping({ userId: other.id, wantedItemId: item.id })
  const query = { query: { userId: other.id } }
  const { data } = useRead(getPresence, query, { enabled, pollMs: () => POLL_MS })
  return (
    <span role="status" className="shrink-0 text-fine text-ink-soft">
      {isTyping ? <span className="text-accent">Typing…</span> : data && describe(data)}
    </span>
  )
}

function describe({ online, lastSeenAt }: { online: boolean; lastSeenAt: string | null }) {
  if (online)
    return (
      <span className="flex items-center gap-1.5">
        <span aria-hidden="true" className="size-2 rounded-round bg-accent" />
        Online
      </span>
    )
  return lastSeenAt && `Last seen ${formatRelativeTime(new Date(lastSeenAt), new Date()).toLowerCase()}`
}

const INTERVAL_MS = 4_000

/** Returns a function to call when the user types. It notifies the other person at most every few seconds. */
function useAnnounceTyping({ item, other }: Parties, enabled: boolean): () => void {
  const lastAt = useRef(0)
  return () => {
    if (!enabled || Date.now() - lastAt.current < INTERVAL_MS) return
    lastAt.current = Date.now()
    // A failure is ignored, because the next announcement follows soon.
    send(announceTyping, { body: { wantedItemId: item.id, receiverId: other.id } }).catch(() => {})
  }
}

/** Hides the typing sign of a person who has just sent a message. */
function useHideTyping({ item, other }: Parties, messages: readonly Message[] | undefined): void {
  const latestId = messages?.find(({ senderId }) => senderId === other.id)?.id
  useEffect(() => {
    if (latestId) hideTyping({ userId: other.id, wantedItemId: item.id })
  }, [latestId, other.id, item.id])
}

/** Handlers for an area onto which pictures can be dropped. */
function usePhotoDrop(onPictures: (files: File[]) => void) {
  const [isDragOver, setIsDragOver] = useState(false)
  return {
    isDragOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setIsDragOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsDragOver(false)
    },
    onDrop: (event: DragEvent) => {
      setIsDragOver(false)
      // Otherwise the browser would open the file.
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
      const pictures = picturesIn(event.dataTransfer)
      if (pictures.length > 0) onPictures(pictures)
    },
  }
}
