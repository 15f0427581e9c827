import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { LAST_UPDATED } from './figures.ts'

export type PolicySection = {
  /** The anchor other pages and mails may point at: it never changes once published. */
  id: string
  title: string
  body: ReactNode
}

type PolicyPageProps = {
  title: string
  /** The policy in a few sentences, for those who read no further. */
  summary: ReactNode
  sections: readonly PolicySection[]
}

/** Numbers the sections and lists them in the table of contents, so that the two cannot drift apart. */
export function PolicyPage({ title, summary, sections }: PolicyPageProps) {
  return (
    <article>
      <header>
        <h1>{title}</h1>
        <p>
          Last updated <time dateTime={LAST_UPDATED.iso}>{LAST_UPDATED.words}</time>
        </p>
        {summary}
      </header>
      <nav aria-label="On this page">
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map((section, index) => (
        <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
          <h2 id={`${section.id}-title`}>
            {index + 1}. {section.title}
          </h2>
          {section.body}
        </section>
      ))}
      <footer>
        <Link href={paths.home()}>Back to home</Link>
      </footer>
    </article>
  )
}

type PolicyTableProps = {
  caption: string
  columns: readonly string[]
  /** The first cell of each row is its heading. */
  rows: readonly (readonly [string, ...ReactNode[]])[]
}

export function PolicyTable({ caption, columns, rows }: PolicyTableProps) {
  return (
    <table>
      <caption>{caption}</caption>
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
