import { paths } from '@sought/contract/paths'
import { ChevronDown } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useSession } from '../../data/session.ts'
import { plural } from '../../format/plural.ts'
import { useMarket, withMarketName } from '../../shared/market/market.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { useMarketFigures } from '../../shared/policies/policy-figures.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { type HelpAnswer, type HelpGroup, listHelp } from './answers.ts'
import { ContactSection } from './contact-section.tsx'
import { searchAnswers } from './search-answers.ts'

/** Answers to common questions, and the form to ask our team. */
export function HelpScreen() {
  const session = useSession()
  const [search, setSearch] = useState('')
  const found = searchAnswers(listHelp(useMarketFigures()), search)
  useEffect(openLinkedAnswer, [])
  return (
    <Page
      title="Help"
      lead="Search the answers, or write to our team at any time."
      back={<BackButton />}
      width="column"
      actions={
        session.state === 'signed-in' && (
          <LinkButton to={paths.tickets()} variant="secondary">
            Your questions
          </LinkButton>
        )
      }
    >
      <search>
        <form onSubmit={(event) => event.preventDefault()}>
          <SearchField
            label="Search the answers"
            placeholder="Search, for example: refund"
            value={search}
            maxLength={100}
            onValueChange={setSearch}
          />
        </form>
      </search>
      <p role="status" className="mt-2 text-fine text-ink-soft">
        {search.trim() !== '' && plural(countOf(found), 'answer')}
      </p>
      {found.length > 0 ? (
        <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-10">
          {found.map((group) => (
            <Group key={group.id} group={group} isOpen={search.trim() !== '' && countOf(found) <= 3} />
          ))}
        </div>
      ) : (
        <EmptyState drawing="lens" title="No answer found">
          Try other words, or ask us below.
        </EmptyState>
      )}
      <ContactSection />
    </Page>
  )
}

const countOf = (groups: HelpGroup[]) => groups.reduce((sum, { answers }) => sum + answers.length, 0)

/**
 * The browser looks for the anchor before the code of this page has loaded, so the code opens the answer and
 * scrolls to it.
 */
function openLinkedAnswer() {
  const linked = document.getElementById(window.location.hash.slice(1))
  if (!linked) return
  if (linked instanceof HTMLDetailsElement) linked.open = true
  linked.scrollIntoView()
}

/** If there are few results, they are shown open. */
function Group({ group, isOpen }: { group: HelpGroup; isOpen: boolean }) {
  return (
    <section aria-labelledby={`group-${group.id}`}>
      <h2 id={`group-${group.id}`} className="mb-2 font-display font-strong text-title">
        {group.title}
      </h2>
      <div className="border-line border-b">
        {group.answers.map((answer) => (
          <Answer key={`${answer.id} ${isOpen}`} answer={answer} isOpen={isOpen} />
        ))}
      </div>
    </section>
  )
}

function Answer({ answer, isOpen }: { answer: HelpAnswer; isOpen: boolean }) {
  const { id, question, paragraphs, links } = answer
  /** Keeps the address in the browser linked to the open answer. */
  const updateAddress = (isNowOpen: boolean) => {
    if (isNowOpen && !isOpen) window.history.replaceState(window.history.state, '', `#${id}`)
  }
  return (
    <details
      id={id}
      open={isOpen}
      onToggle={({ currentTarget }) => updateAddress(currentTarget.open)}
      className="group scroll-mt-24 border-line border-t"
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 py-2 font-strong hover:text-accent [&::-webkit-details-marker]:hidden">
        {withMarketName(question, useMarket().name)}
        <ChevronDown aria-hidden="true" className="size-5 shrink-0 text-ink-soft group-open:rotate-180" />
      </summary>
      <div className="grid gap-3 pb-5 text-ink-soft">
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {links.length > 0 && (
          <p className="flex flex-wrap gap-x-5 gap-y-1">
            {links.map(({ label, path }) => (
              <Link key={path} href={path} className="link">
                {label}
              </Link>
            ))}
          </p>
        )}
      </div>
    </details>
  )
}
