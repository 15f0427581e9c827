import { paths } from '@sought/contract/paths'
import { listWantedItems } from '@sought/contract/requests'
import { listMatches } from '@sought/contract/selling'
import { useIsFetching } from '@tanstack/react-query'
import { getQueryKey, useRead } from '../../data/calls.ts'
import { TextLink } from '../../shared/navigation/links.tsx'
import { CardSkeletons, cardColumns } from '../../shared/requests/card-skeletons.tsx'
import { RequestCard } from '../../shared/requests/request-card.tsx'

const SHOWN_COUNT = 6

/**
 * The newest requests that match the user's keywords and categories as a seller. Loaded after the board, which
 * reserves a place for them.
 */
export function Matches() {
  const isBoardLoaded = useIsFetching({ queryKey: getQueryKey(listWantedItems) }) === 0
  const matches = useRead(listMatches, { query: { limit: String(SHOWN_COUNT) } }, { enabled: isBoardLoaded })
  if (matches.isError || matches.data?.length === 0) return null
  return (
    <section aria-labelledby="matches">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="matches" className="font-display font-strong text-heading">
          Matches what you sell
        </h2>
        <TextLink to={paths.matches()}>See all matches</TextLink>
      </div>
      {matches.data ? (
        <div className={cardColumns.board}>
          {matches.data.map((item) => (
            <RequestCard key={item.id} item={item} />
          ))}
        </div>
      ) : (
        <CardSkeletons count={SHOWN_COUNT} columns="board" />
      )}
    </section>
  )
}
