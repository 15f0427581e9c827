import type { ReplyOf } from '@sought/contract/call'
import type { Policy } from '@sought/contract/constants'
import { getPolicy } from '@sought/contract/policies'
import { Fragment, useEffect, useMemo } from 'react'
import { useRead } from '../../data/calls.ts'
import { formatDateInUtc } from '../../format/dates.ts'
import { useMarket } from '../../shared/market/market.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { Markdown, parseMarkdown } from '../../shared/policies/markdown.tsx'
import { LAST_UPDATED, POLICY_FIGURES, useMarketFigures } from '../../shared/policies/policy-figures.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Prose } from '../../ui/layout/prose.tsx'
import { type ParsedPolicy, parsePolicy } from './parse-policy.ts'

interface PolicyPageProps {
  policy: Policy
  /** The built-in text (parse-policy.ts). */
  text: string
}

/** The operator's text if one is in force, otherwise the built-in text. */
export function PolicyPage({ policy, text }: PolicyPageProps) {
  const { name, policies } = useMarket()
  const figures = useMarketFigures()
  const builtIn = parsePolicy(text, { ...POLICY_FIGURES, ...figures, market: name })
  return policies.some((it) => it.policy === policy) ? (
    <OperatorPolicy policy={policy} title={builtIn.title} />
  ) : (
    <BuiltInPolicy {...builtIn} />
  )
}

function OperatorPolicy({ policy, title }: { policy: Policy; title: string }) {
  const read = useRead(getPolicy, { params: { policy } })
  if (read.isPending) return <FullPageSpinner />
  if (!read.data) {
    return (
      <Page title={title} back={<BackButton />}>
        <ErrorState
          reference={read.error?.requestId}
          onRetry={() => void read.refetch()}
          busy={read.isFetching}
        />
      </Page>
    )
  }
  return <OperatorText title={title} {...read.data} />
}

function OperatorText({
  title,
  version,
  effectiveFrom,
  text,
}: ReplyOf<typeof getPolicy> & { title: string }) {
  useEffect(scrollToAnchor, [])
  const blocks = useMemo(() => parseMarkdown(text ?? ''), [text])
  const sections = blocks.flatMap((block) =>
    block.kind === 'h2' ? [{ id: block.id, title: block.text }] : [],
  )
  return (
    <Page
      title={title}
      lead={
        <span className="text-fine">
          Version {version}
          {effectiveFrom && (
            <>
              , in force since <time dateTime={effectiveFrom}>{formatDateInUtc(effectiveFrom)}</time>
            </>
          )}
        </span>
      }
      back={<BackButton />}
    >
      <Prose sections={sections} className="[overflow-wrap:anywhere]">
        <Markdown blocks={blocks} />
      </Prose>
    </Page>
  )
}

/** Numbers the sections and lists them next to the text. */
function BuiltInPolicy({ title, summary, sections }: ParsedPolicy) {
  useEffect(scrollToAnchor, [])
  const numbered = sections.map((section, index) => ({ ...section, title: `${index + 1}. ${section.title}` }))
  return (
    <Page
      title={title}
      lead={
        <>
          {summary}
          <span className="mt-3 block text-fine">
            Last updated <time dateTime={LAST_UPDATED}>{formatDateInUtc(LAST_UPDATED)}</time>
          </span>
        </>
      }
      back={<BackButton />}
    >
      <Prose sections={numbered}>
        {numbered.map(({ id, title, blocks }) => (
          <Fragment key={id}>
            <h2 id={id}>{title}</h2>
            <Markdown blocks={blocks} linksWithin />
          </Fragment>
        ))}
      </Prose>
    </Page>
  )
}

/** The browser looks for the anchor before the code of this page has loaded, so the code scrolls there. */
function scrollToAnchor() {
  const id = window.location.hash.slice(1)
  if (id !== '') document.getElementById(id)?.scrollIntoView()
}
