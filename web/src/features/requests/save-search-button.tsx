import type { InputOf } from '@sought/contract/call'
import { type BoardFilters, paths } from '@sought/contract/paths'
import { listSavedSearches, type SavedSearch, saveSearch } from '@sought/contract/saved-searches'
import { Bookmark, BookmarkCheck } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { withPushOffer } from '../../lib/push-offer.ts'
import { useSession } from '../../lib/session.ts'
import { explainFailure, useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'

type Filters = BoardFilters
/** The server validates what is in the address. */
type SearchInput = InputOf<typeof saveSearch>['body']['filters']

/** Saves the search with one click. Visitors sign in first and come back. */
export function SaveSearchButton({ filters }: { filters: Filters }) {
  const [, navigate] = useLocation()
  const isSignedIn = useSession().state === 'signed-in'
  const saved = useRead(listSavedSearches, undefined, { enabled: isSignedIn })
  const signIn = () => navigate(paths.auth({ returnTo: window.location.pathname + window.location.search }))
  const { run, isPending } = useAction(saveSearch, {
    success: ({ name }) =>
      withPushOffer({
        title: 'Search saved',
        description: `We email you new requests for “${name}” once a day. You can change this in your saved searches.`,
      }),
    failure: explainFailure('The search was not saved'),
    refreshes: [listSavedSearches],
    onSignedOut: signIn,
  })
  if (saved.data?.some((search) => hasFilters(search, filters))) {
    return (
      <Button asChild variant="quiet" size="sm">
        <Link href={paths.savedSearches()}>
          <BookmarkCheck aria-hidden="true" />
          Search Saved
        </Link>
      </Button>
    )
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={isPending}
      onClick={() => (isSignedIn ? void run({ body: { filters: filters as SearchInput } }) : signIn())}
    >
      <Bookmark aria-hidden="true" />
      Save search
    </Button>
  )
}

/** The server drops empty filters and may answer with numbers. */
function hasFilters(search: SavedSearch, filters: Filters): boolean {
  const textOf = (values: object) =>
    JSON.stringify(
      Object.entries(values)
        .map(([name, value]) => [name, String(value ?? '').trim()] as const)
        .filter(([, value]) => value !== '')
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  return textOf(search.filters) === textOf(filters)
}
