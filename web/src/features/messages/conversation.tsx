import { MESSAGES_STALE_MS } from '@sought/contract/constants'
import { listMessages } from '@sought/contract/messages'
import { listOffers } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import { listPayments } from '@sought/contract/payments'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useRead, useReadPages } from '../../lib/calls.ts'
import { PersonLink } from '../../lib/person-link.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Composer } from './composer.tsx'
import { OfferPanel } from './offer-panel.tsx'
import { offerSteps } from './offer-steps.ts'
import { useOutbox } from './outbox.ts'
import { isBetween, type Parties } from './parties.ts'
import { Thread } from './thread.tsx'
import { threadEntries } from './thread-entries.ts'
import { useMarkRead } from './use-mark-read.ts'

const PAGE_SIZE = 50

/** One request and one other person: what was said, what was offered, and the place to answer. */
export function Conversation({ parties }: { parties: Parties }) {
  const messages = useReadPages(
    listMessages,
    { wantedItemId: String(parties.item.id), userId: parties.other.id, limit: String(PAGE_SIZE) },
    { staleMs: MESSAGES_STALE_MS },
  )
  const outbox = useOutbox(parties, messages.data)
  const { offers, payments } = useDealings(parties)
  const { heading, field } = useFocusOnOpening()
  useMarkRead(parties, messages.data)
  const entries = threadEntries({
    messages: messages.data ?? [],
    hasOlder: messages.hasNextPage,
    outgoing: outbox.outgoing,
    steps: offerSteps(offers),
    payments,
  })
  return (
    <section
      aria-label={`Conversation with ${parties.other.name}`}
      className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)_auto] xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_minmax(0,1fr)_auto]"
    >
      <Head parties={parties} heading={heading} />
      <OfferPanel parties={parties} offers={offers} payments={payments} />
      <Thread parties={parties} entries={entries} messages={messages} outbox={outbox} />
      <Composer parties={parties} field={field} onSend={outbox.post} />
    </section>
  )
}

/** The offers and payments between the two, the latest first. Payments that cannot be read count as none. */
function useDealings(parties: Parties) {
  const all = useRead(listOffers, undefined, { staleMs: MESSAGES_STALE_MS }).data ?? []
  const offers = all.filter((offer) => isBetween(parties, offer))
  const agreed = offers.some(({ status }) => status === 'accepted')
  const query = { wantedItemId: String(parties.item.id) }
  const pairs = useRead(listPayments, { query }, { enabled: agreed }).data ?? []
  const payments = pairs.map((pair) => pair.payments).filter((payment) => isBetween(parties, payment))
  return { offers, payments }
}

/** Whoever opens a conversation at a desk wants to write; on a phone the keyboard would hide what there is to read. */
function useFocusOnOpening() {
  const heading = useRef<HTMLHeadingElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const atDesk = window.matchMedia('(pointer: fine)').matches
    const start = atDesk ? field : heading
    start.current?.focus({ preventScroll: true })
  }, [])
  return { heading, field }
}

interface HeadProps {
  parties: Parties
  heading: RefObject<HTMLHeadingElement | null>
}

function Head({ parties: { other, item }, heading }: HeadProps) {
  return (
    <header className="flex min-w-0 items-center gap-3 border-line border-b px-4 py-3 xl:col-span-2">
      <BackLink asChild className="shrink-0 md:hidden">
        <Link href={paths.messages()}>Back</Link>
      </BackLink>
      <Avatar name={other.name} imageUrl={other.profileImageUrl} />
      <div className="grid min-w-0">
        <h2 ref={heading} tabIndex={-1} className="truncate font-strong leading-tight">
          <PersonLink person={other} className="text-ink no-underline hover:underline" />
        </h2>
        <Link href={paths.item(item.id)} className="link truncate text-fine">
          {item.title}
        </Link>
      </div>
    </header>
  )
}
