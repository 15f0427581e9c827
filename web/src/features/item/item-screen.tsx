import { paths } from '@sought/contract/paths'
import {
  getWantedItem,
  listSimilarWantedItems,
  type ViewedWantedItem,
  type WantedItem,
} from '@sought/contract/requests'
import { Link2, MessagesSquare } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { useLocation, useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { toast, toastFailure } from '../../data/toasts.ts'
import { formatBudget } from '../../format/budget.ts'
import { describeAge, formatRelativeTime } from '../../format/relative-time.ts'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { useConversations } from '../../shared/messages/conversations.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { ReportButton } from '../../shared/reports/report-button.tsx'
import { RequestGrid } from '../../shared/requests/request-grid.tsx'
import { requestNotices, requestStates } from '../../shared/requests/request-status.ts'
import { urgencyLabels } from '../../shared/requests/urgency.ts'
import { rememberViewed } from '../../shared/requests/viewed-requests.ts'
import { useSignInFirst } from '../../shared/sign-in/use-sign-in-first.ts'
import { useDate } from '../../shared/time/use-date.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Stars } from '../../ui/display/stars.tsx'
import { Tag } from '../../ui/display/tag.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { ItemPictures, usePicturePolling } from './item-pictures.tsx'

const OfferComparison = lazy(async () => ({
  default: (await import('./offer-comparison.tsx')).OfferComparison,
}))

const OwnerActions = lazy(async () => ({ default: (await import('./owner-actions.tsx')).OwnerActions }))

export function ItemScreen() {
  const { id } = useParams<{ id: string }>()
  const item = useRead(getWantedItem, { params: { id } }, { pollMs: usePicturePolling() })
  return (
    <Loaded query={item} notFound={<ItemNotFound />} errorTitle="Failed to fetch item">
      {(data) => <Item item={data} />}
    </Loaded>
  )
}

function Item({ item }: { item: ViewedWantedItem }) {
  const session = useSession()
  const userId = session.state === 'signed-in' ? session.user.id : null
  const isOwner = userId === item.userId
  useEffect(() => {
    if (!isOwner) rememberViewed(userId, item.id)
  }, [isOwner, userId, item.id])
  return (
    <Page title={`Wanted: ${item.title}`} heading={null} back={<BackButton />} width="desk">
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Heading item={item} />
          <ItemPictures item={item} isOwn={isOwner} />
          <p className="max-w-column whitespace-pre-line text-lead leading-relaxed [overflow-wrap:anywhere]">
            {item.description}
          </p>
        </div>
        <aside className="grid grid-cols-[minmax(0,1fr)] content-start gap-6 lg:sticky lg:top-24 lg:self-start">
          <ItemDetails item={item} />
          {isOwner ? (
            <Suspense fallback={<Skeleton className="h-11" />}>
              <OwnerActions item={item} />
            </Suspense>
          ) : (
            <ContactBuyerButton item={item} />
          )}
          <div className="flex flex-wrap justify-center gap-x-2">
            <ShareButton title={item.title} />
            {!isOwner && <ReportButton target={{ kind: 'request', id: item.id }} />}
          </div>
        </aside>
      </div>
      {isOwner && (
        <Suspense fallback={<Skeleton className="mt-12 h-48" />}>
          <OfferComparison item={item} />
        </Suspense>
      )}
      <SimilarRequests itemId={item.id} />
    </Page>
  )
}

function Heading({ item }: { item: WantedItem }) {
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2 text-fine text-ink-soft">
        <Badge>{item.category}</Badge>
        {item.urgency === 'high' && <Badge tone="signal">Urgent</Badge>}
        {item.status !== 'open' && <Badge tone="outline">{requestStates[item.status].label}</Badge>}
        <span suppressHydrationWarning>
          Posted {formatRelativeTime(new Date(item.createdAt), new Date()).toLowerCase()}
        </span>
        {item.renewedAt && <span suppressHydrationWarning>{describeAge(item, new Date())}</span>}
      </div>
      <h1 className="font-display font-strong text-heading tracking-[-0.012em] [overflow-wrap:anywhere]">
        {item.title}
      </h1>
      {item.status !== 'open' && <Notice>{requestNotices[item.status]}</Notice>}
    </header>
  )
}

function ItemDetails({ item }: { item: WantedItem }) {
  const openUntil = useDate(item.expiresAt)
  return (
    <div className="grid grid-cols-1 gap-5">
      <Tag size="lg" className="justify-self-start">
        {formatBudget(item, item.currency)}
      </Tag>
      <DefinitionList
        rows={[
          { label: 'Location', value: item.location },
          { label: 'Urgency', value: urgencyLabels[item.urgency].long },
          item.status === 'open' && { label: 'Open until', value: openUntil },
          {
            label: 'Posted by',
            value: (
              <span className="flex items-center gap-3">
                <Avatar name={item.user.name} imageUrl={item.user.profileImageUrl} size="sm" />
                <span className="grid min-w-0">
                  <PersonLink person={item.user} className="link truncate font-strong" />
                  <Stars value={item.user.rating || null} />
                </span>
              </span>
            ),
          },
        ]}
      />
    </div>
  )
}

function ItemNotFound() {
  return (
    <ErrorPage title="Item not found" action={<LinkButton to={paths.home()}>Back to Marketplace</LinkButton>}>
      It may have been removed.
    </ErrorPage>
  )
}

/**
 * Opens the conversation with the buyer. Visitors are asked to sign in and then return here. Once the request is no
 * longer open, only people who have already sent a message or an offer can continue.
 */
function ContactBuyerButton({ item }: { item: WantedItem }) {
  const [, navigate] = useLocation()
  const signInFirst = useSignInFirst()
  const hasConversation = useHasConversation(item)

  const contact = () =>
    signInFirst('contact buyers', () => navigate(paths.messages({ itemId: item.id, userId: item.userId })))

  if (item.status === 'reserved' && !hasConversation) return null
  return (
    <Button size="lg" wide disabled={item.status !== 'open' && !hasConversation} onClick={contact}>
      <MessagesSquare aria-hidden="true" />
      Contact Buyer
    </Button>
  )
}

function useHasConversation({ id, status }: WantedItem): boolean {
  const { state } = useSession()
  const isNeeded = state === 'signed-in' && status !== 'open'
  const conversations = useConversations({ enabled: isNeeded })
  return conversations.data?.some(({ wantedItem }) => wantedItem.id === id) ?? false
}

/** Shares the link with the device's share sheet, or copies it if there is none. */
function ShareButton({ title }: { title: string }) {
  const share = async () => {
    const url = window.location.origin + window.location.pathname
    try {
      if (navigator.share) return await navigator.share({ title, url })
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied', description: url })
    } catch (error) {
      // The user closed the share sheet.
      if (error instanceof DOMException && error.name === 'AbortError') return
      toastFailure('The link could not be copied', url)
    }
  }
  return (
    <Button variant="quiet" onClick={() => void share()}>
      <Link2 aria-hidden="true" />
      Share
    </Button>
  )
}

/** Other open requests. Hidden while loading and if there are none, because the page is complete without them. */
function SimilarRequests({ itemId }: { itemId: number }) {
  const { data: items = [] } = useRead(listSimilarWantedItems, { params: { id: String(itemId) } })
  if (items.length === 0) return null
  return (
    <div className="mt-16">
      <RequestGrid title="Similar requests" items={items} columns="desk" />
    </div>
  )
}
