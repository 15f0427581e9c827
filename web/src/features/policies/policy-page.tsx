import { Fragment, type ReactNode, useEffect } from 'react'
import { BackButton } from '../../lib/back-button.tsx'
import { useMarket, withMarketName } from '../../lib/market.ts'
import { LAST_UPDATED } from '../../lib/policy-figures.ts'
import { Page } from '../../ui/page.tsx'
import { Prose } from '../../ui/prose.tsx'

export interface PolicySection {
  /** The anchor that other pages and emails link to, so it must never change. */
  id: string
  title: string
  body: ReactNode
}

interface PolicyPageProps {
  title: string
  /** The policy in two sentences. */
  summary: string
  sections: readonly PolicySection[]
}

/** Numbers the sections and lists them next to the text. */
export function PolicyPage({ title, summary, sections }: PolicyPageProps) {
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
            Last updated <time dateTime={LAST_UPDATED.iso}>{LAST_UPDATED.text}</time>
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

/** The browser looks for the anchor before the code of this page has loaded, so we scroll there ourselves. */
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
