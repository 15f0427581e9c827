import type { ReplyOf } from '@sought/contract/call'
import { lookUp } from '@sought/contract/lookup'
import { paths } from '@sought/contract/paths'
import { type FormEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useRead } from '../../../data/calls.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import { TitledSection } from '../../../ui/layout/titled-section.tsx'
import { DealList, PeopleList, RequestList } from './found-lists.tsx'

/** The search text is in the URL, so that going back shows the results again. */
export function AdminLookupScreen() {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const searched = query.get('q') ?? ''
  const [text, setText] = useState(searched)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = text.trim()
    navigate(paths.adminLookup(q ? { q } : {}))
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers do not support the search element everywhere. */}
      <form role="search" onSubmit={submit} className="mb-8 flex flex-wrap gap-3">
        <SearchField
          label="Name, email, id, card, provider id, transaction or tracking number"
          placeholder="Name, email, id, last four digits …"
          value={text}
          onValueChange={setText}
          onClear={() => navigate(paths.adminLookup())}
          maxLength={200}
          autoComplete="off"
          className="min-w-0 grow basis-48"
        />
        <Button type="submit">Search</Button>
      </form>
      {searched ? <Results key={searched} q={searched} /> : <Hints />}
    </>
  )
}

function Hints() {
  return (
    <EmptyState drawing="lens" title="Find a person or a deal">
      The beginning of a name or an email address, an id, the last four digits of a card, an id of Stripe, a
      transaction number or a tracking number.
    </EmptyState>
  )
}

function Results({ q }: { q: string }) {
  const found = useRead(lookUp, { query: { q } })
  return (
    <Loaded query={found} notFound={<TooShort />}>
      {(it) => <Groups found={it} q={q} />}
    </Loaded>
  )
}

function TooShort() {
  return (
    <EmptyState drawing="lens" title="Enter a little more">
      Search for an id, or for at least two characters.
    </EmptyState>
  )
}

function Groups({ found, q }: { found: ReplyOf<typeof lookUp>; q: string }) {
  const { people, requests, deals } = found
  if (people.length + requests.length + deals.length === 0) {
    return (
      <EmptyState drawing="lens" title="Nothing found">
        <span className="[overflow-wrap:anywhere]">
          Nothing begins with “{q}”. Check the spelling, or try another number.
        </span>
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-10">
      {people.length > 0 && (
        <TitledSection title="People">
          <PeopleList people={people} />
        </TitledSection>
      )}
      {deals.length > 0 && (
        <TitledSection title="Deals">
          <DealList deals={deals} />
        </TitledSection>
      )}
      {requests.length > 0 && (
        <TitledSection title="Requests">
          <RequestList requests={requests} />
        </TitledSection>
      )}
    </div>
  )
}
