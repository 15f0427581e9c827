import { paths } from '@sought/contract/paths'
import {
  type Badge as BadgeName,
  getPublicProfile,
  listUserWantedItems,
  type PublicProfile,
} from '@sought/contract/people'
import { AtSign, KeyRound, Landmark, type LucideIcon, Smartphone } from 'lucide-react'
import { useParams, useSearchParams } from 'wouter'
import { useRead, useReadPages } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { plural } from '../../format/plural.ts'
import { BlockButton, useIsBlocked } from '../../shared/blocks/block-button.tsx'
import { BlockedNotice } from '../../shared/blocks/blocked-notice.tsx'
import { ErrorPage } from '../../shared/loading/error-page.tsx'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { PagedList } from '../../shared/loading/paged-list.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { ReportButton } from '../../shared/reports/report-button.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'
import { useDate } from '../../shared/time/use-date.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { PersonHeader } from '../../ui/display/person-header.tsx'
import { Stars } from '../../ui/display/stars.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Reviews } from './review-list.tsx'

/** The public profile of a user. */
export function PublicProfileScreen() {
  const { id } = useParams<{ id: string }>()
  const profile = useRead(getPublicProfile, { params: { id } })
  return (
    <Loaded query={profile} loading={<HeaderSkeleton />} notFound={<UserNotFound />}>
      {(person) => (
        <Page title={person.name} heading={null} back={<BackButton />} width="board">
          <Profile key={person.id} person={person} />
        </Page>
      )}
    </Loaded>
  )
}

function Profile({ person }: { person: PublicProfile }) {
  const session = useSession()
  const isMe = session.state === 'signed-in' && session.user.id === person.id
  return (
    <>
      <Header person={person} isMe={isMe} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        <OpenRequests personId={person.id} />
        <Reviews person={person} isMe={isMe} />
      </div>
    </>
  )
}

function Header({ person, isMe }: { person: PublicProfile; isMe: boolean }) {
  const memberSince = useDate(person.memberSince)
  return (
    <div className="mb-12">
      <PersonHeader
        name={person.name}
        imageUrl={person.profileImageUrl}
        aside={
          isMe ? (
            <LinkButton to={paths.profile({ tab: 'settings' })} variant="secondary" size="sm">
              Edit Profile
            </LinkButton>
          ) : (
            <div className="flex gap-2 max-sm:-mx-5">
              <ReportButton target={{ kind: 'profile', id: person.id }} />
              <BlockButton person={person} />
            </div>
          )
        }
      >
        <Stars value={person.ratingCount === 0 ? null : person.rating} count={person.ratingCount} />
        <p className="text-fine text-ink-soft">
          Member since {memberSince}
          {person.cancelledDeals > 0 && ` · Cancelled ${plural(person.cancelledDeals, 'deal')} as a seller`}
        </p>
        <Badges person={person} />
      </PersonHeader>
      {useIsBlocked(person.id) && (
        <div className="mt-6">
          <BlockedNotice person={person} />
        </div>
      )}
      {person.bio && (
        <p className="mt-6 max-w-column whitespace-pre-line [overflow-wrap:anywhere]">{person.bio}</p>
      )}
      <Sells selling={person.selling} />
      <Standing person={person} />
    </div>
  )
}

function Sells({ selling }: Pick<PublicProfile, 'selling'>) {
  const things = [...new Set([...selling.categories, ...selling.keywords])]
  if (things.length === 0) return null
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      <h2 className="mr-1 font-strong">Sells</h2>
      <ul aria-label="Sells" className="contents">
        {things.map((thing) => (
          <li key={thing}>
            <Badge>{thing}</Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}

function HeaderSkeleton() {
  return (
    <Page title="Profile" heading={null} width="board">
      <div role="status" aria-label="Loading..." className="mt-12 flex items-center gap-6">
        <Skeleton className="size-24 rounded-round" />
        <div className="grid grow gap-3">
          <Skeleton className="h-8 w-56" />
          <Skeleton className="h-4 w-32" />
        </div>
      </div>
    </Page>
  )
}

function UserNotFound() {
  return (
    <ErrorPage title="User not found" action={<LinkButton to={paths.home()}>Back to Marketplace</LinkButton>}>
      This account does not exist, or it has been deleted.
    </ErrorPage>
  )
}

const PAGE_SIZE = 12
const SKELETON_COUNT = 4

function OpenRequests({ personId }: { personId: string }) {
  const cursor = useSearchParams()[0].get('requests') ?? undefined
  const requests = useReadPages(
    listUserWantedItems,
    { limit: String(PAGE_SIZE), cursor },
    { params: { id: personId } },
  )
  return (
    <section aria-label="Open requests">
      <h2 className="mb-5 font-display font-strong text-title">Open requests</h2>
      <PagedList
        pages={requests}
        loading={<CardSkeletons count={SKELETON_COUNT} columns="board" />}
        empty={<p className="text-ink-soft">No open requests right now.</p>}
        errorTitle="Failed to fetch wanted items"
        firstPage={paths.user(personId)}
        more={{
          href: paths.user(personId, { requests: requests.nextCursor }),
          label: 'Show more requests',
        }}
        layout={(items) => (
          <div className={cardColumns.board}>
            {items.map((item) => (
              <RequestCard key={item.id} item={item} />
            ))}
          </div>
        )}
      />
    </section>
  )
}

const badges: Record<BadgeName, { label: string; Icon: LucideIcon }> = {
  email: { label: 'Email verified', Icon: AtSign },
  phone: { label: 'Phone verified', Icon: Smartphone },
  payouts: { label: 'Payouts verified', Icon: Landmark },
  second_factor: { label: 'Second factor', Icon: KeyRound },
}

function Badges({ person }: { person: PublicProfile }) {
  if (person.badges.length === 0) return null
  return (
    <ul aria-label="Verified" className="mt-1 flex flex-wrap gap-1.5">
      {person.badges.map((name) => {
        const { label, Icon } = badges[name]
        return (
          <li key={name}>
            <Badge tone="accent" icon={<Icon aria-hidden="true" />}>
              {label}
            </Badge>
          </li>
        )
      })}
    </ul>
  )
}

/** A person's record from deals and conversations so far. */
function Standing({ person }: { person: PublicProfile }) {
  const { completed, cancelled, lost } = person.deals
  const figures = [
    { label: 'Completed deals', value: completed },
    { label: 'Cancelled deals', value: cancelled },
    { label: 'Lost disputes', value: lost },
    { label: 'Usually replies', value: describeResponse(person.responseMinutes) },
  ]
  return (
    <dl className="mt-6 grid max-w-column grid-cols-2 gap-x-6 gap-y-4 border-line border-y py-4 sm:grid-cols-4">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse justify-end gap-0.5">
          <dt className="text-fine text-ink-soft">{label}</dt>
          <dd className="font-strong tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const HOUR = 60
const DAY = 24 * HOUR

/** Rounded up, so that users do not expect a faster reply. */
function describeResponse(minutes: number | null): string {
  if (minutes === null) return 'Not known yet'
  if (minutes <= 5) return 'within minutes'
  if (minutes <= HOUR) return 'within an hour'
  if (minutes < DAY) return `within ${Math.ceil(minutes / HOUR)} hours`
  const days = Math.ceil(minutes / DAY)
  return days === 1 ? 'within a day' : `within ${days} days`
}
