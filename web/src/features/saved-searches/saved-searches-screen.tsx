import { paths } from '@sought/contract/paths'
import { listSavedSearches } from '@sought/contract/saved-searches'
import { useRead } from '../../data/calls.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { LinkButton } from '../../shared/navigation/link-button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { SavedSearchRow } from './saved-search-row.tsx'

export function SavedSearchesScreen() {
  const searches = useRead(listSavedSearches)
  return (
    <Page title="Saved searches" lead="We tell you about new requests that match them." width="column">
      <Loaded query={searches}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              drawing="lens"
              title="No saved searches yet"
              action={<LinkButton to={paths.home()}>Browse Requests</LinkButton>}
            >
              Search for what you sell and choose “Save search” above the results.
            </EmptyState>
          ) : (
            <ul aria-label="Saved searches" className="border-line border-b">
              {found.map((search) => (
                <SavedSearchRow key={search.id} search={search} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  )
}
