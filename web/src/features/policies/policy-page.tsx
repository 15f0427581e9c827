import type { ReplyOf } from '@sought/contract/call'
import type { Policy } from '@sought/contract/constants'
import { getPolicy } from '@sought/contract/policies'
import { Fragment, type ReactNode, useEffect, useMemo } from 'react'
import { useRead } from '../../data/calls.ts'
import { formatDateInUtc } from '../../format/dates.ts'
import { useMarket, withMarketName } from '../../shared/market/market.ts'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { Markdown, parseMarkdown } from '../../shared/policies/markdown.tsx'
import { LAST_UPDATED } from '../../shared/policies/policy-figures.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../ui/feedback/spinner.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Prose } from '../../ui/layout/prose.tsx'

export interface PolicySection {
  /** The anchor that other pages and emails link to, so it must never change. */
  id: string
  title: string
  body: ReactNode
}

interface PolicyPageProps {
  policy: Policy
  title: string
  /** A summary of the policy in two sentences. */
  summary: string
  sections: readonly PolicySection[]
}

/** The operator's text if one is in force, otherwise the built-in text. */
export function PolicyPage({ policy, ...builtIn }: PolicyPageProps) {
  const { policies } = useMarket()
  return policies.some((it) => it.policy === policy) ? (
    <OperatorPolicy policy={policy} title={builtIn.title} />
  ) : (
    <BuiltInPolicy {...builtIn} />
  )
}

function OperatorPolicy({ policy, title }: Pick<PolicyPageProps, 'policy' | 'title'>) {
  const read = useRead(getPolicy, { params: { policy } }, { staleMs: 0 })
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
function BuiltInPolicy({ title, summary, sections }: Omit<PolicyPageProps, 'policy'>) {
  useEffect(scrollToAnchor, [])
  const { name } = useMarket()
  const numbered = sections.map((section, index) => ({
    ...section,
    title: `${index + 1}. ${withMarketName(section.title, name)}`,
  }))
  return (
    <Page
      title={title}
      lead={
        <>
          {withMarketName(summary, name)}
          <span className="mt-3 block text-fine">
            Last updated <time dateTime={LAST_UPDATED}>{formatDateInUtc(LAST_UPDATED)}</time>
          </span>
        </>
      }
      back={<BackButton />}
    >
      <Prose sections={numbered}>
        {numbered.map((section) => (
          <Fragment key={section.id}>
            <h2 id={section.id}>{section.title}</h2>
            {section.body}
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

interface PolicyTableProps {
  caption: string
  columns: readonly string[]
  /** The first cell of each row is its heading. */
  rows: readonly (readonly [string, ...ReactNode[]])[]
}

export function PolicyTable({ caption, columns, rows }: PolicyTableProps) {
  return (
    <table>
      <caption className="pb-1 text-left text-fine text-ink-soft">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading, ...cells]) => (
          <tr key={heading}>
            <th scope="row">{heading}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
