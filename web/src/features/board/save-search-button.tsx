import { type BoardFilters, paths } from '@sought/contract/paths'
import { listSavedSearches, NewFilters, saveSearch } from '@sought/contract/saved-searches'
import { Bookmark, BookmarkCheck } from 'lucide-react'
import { useLocation } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { useSession } from '../../data/session.ts'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { withPushOffer } from '../../shared/notifications/push-offer.ts'
import { Button } from '../../ui/forms/button.tsx'

/** Saves the search with one click. Visitors sign in first and return. Hidden if there is no filter to save. */
export function SaveSearchButton({ filters }: { filters: BoardFilters }) {
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
    onSignedOut: signIn,
  })
  const valid = NewFilters.safeParse(filters).data
  if (!valid) return null
  if (saved.data?.some((search) => isSame(search.filters, valid))) {
    return (
      <LinkButton to={paths.savedSearches()} variant="quiet" size="sm">
        <BookmarkCheck aria-hidden="true" />
        Search Saved
      </LinkButton>
    )
  }
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={isPending}
      onClick={() => (isSignedIn ? void run({ body: { filters: valid } }) : signIn())}
    >
      <Bookmark aria-hidden="true" />
      Save search
    </Button>
  )
}

/** Whether two searches find the same requests, in any order. */
function isSame(one: object, other: object): boolean {
  const textOf = (filters: object) =>
    JSON.stringify(
      Object.entries(filters)
        .filter(([name, value]) => name !== 'sort' && value !== undefined)
        .sort(([name], [next]) => (name < next ? -1 : 1)),
    )
  return textOf(one) === textOf(other)
}
