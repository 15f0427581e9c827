import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'

/**
 * The subset of Markdown for policies: headings, paragraphs, lists, tables, bold text and links to websites and email
 * addresses. Everything else, including HTML, is shown unchanged.
 */
export type MarkdownBlock =
  | { kind: 'h2' | 'h3'; id: string; text: string }
  | { kind: 'p'; text: string }
  | { kind: 'ul' | 'ol'; items: Item[] }
  /** The first row has the headings of the columns, and the first cell of each other row is its heading. */
  | { kind: 'table'; caption: string | null; rows: string[][] }

interface Item {
  /** For an item that begins with a heading: `1. ### Title`. */
  title: string | null
  text: string
}

/** The title of the page is its only h1, so the two highest levels are both sections. */
export function parseMarkdown(source: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = []
  const ids = new Set<string>()
  let isNewBlock = true
  for (const line of source.split(/\r\n|\r|\n/)) {
    const text = line.trim()
    const heading = /^(#{1,6}) +(?=\S)/.exec(text)
    const bullet = /^(?:[-*+]|\d{1,9}[.)]) +(?=\S)/.exec(text)
    const last = blocks.at(-1)
    if (text === '') {
      isNewBlock = true
    } else if (heading) {
      const title = text.slice(heading[0].length)
      blocks.push({
        kind: heading[0].trimEnd().length > 2 ? 'h3' : 'h2',
        id: uniqueId(title, ids),
        text: title,
      })
      isNewBlock = true
    } else if (bullet) {
      const kind = /^\d/.test(text) ? 'ol' : 'ul'
      const item = asItem(text.slice(bullet[0].length))
      if (last?.kind === kind) last.items.push(item)
      else blocks.push({ kind, items: [item] })
      isNewBlock = false
    } else if (TABLE_ROW.test(text)) {
      addRow(blocks, text, isNewBlock)
      isNewBlock = false
    } else if (isNewBlock || !last) {
      blocks.push({ kind: 'p', text })
      isNewBlock = false
    } else {
      continueBlock(last, text)
    }
  }
  return blocks
}

function continueBlock(block: MarkdownBlock, text: string): void {
  const target = 'items' in block ? block.items.at(-1) : block
  if (target && 'text' in target) target.text += target.text === '' ? text : ` ${text}`
}

const asItem = (text: string): Item =>
  text.startsWith('### ') ? { title: text.slice(4), text: '' } : { title: null, text }

const TABLE_ROW = /^\|.*\|$/
const CAPTION = 'Table: '

/** A paragraph `Table: …` above the rows is the caption. The line below the headings is left out. */
function addRow(blocks: MarkdownBlock[], text: string, isNewBlock: boolean): void {
  if (/^[|:\s-]+$/.test(text)) return
  const row = text
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
  const last = blocks.at(-1)
  if (last?.kind === 'table' && !isNewBlock) return void last.rows.push(row)
  const isCaption = last?.kind === 'p' && last.text.startsWith(CAPTION)
  if (isCaption) blocks.pop()
  blocks.push({ kind: 'table', caption: isCaption ? last.text.slice(CAPTION.length) : null, rows: [row] })
}

/** The anchor of a heading. Two headings may have the same text. */
function uniqueId(title: string, taken: Set<string>): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  // No element of the app has an id with this prefix.
  const base = `section-${slug}`
  let id = base
  for (let number = 2; taken.has(id); number++) id = `${base}-${number}`
  taken.add(id)
  return id
}

interface MarkdownProps {
  blocks: readonly MarkdownBlock[]
  /** Allows links to pages of the market. Only the built-in texts have them. */
  linksWithin?: boolean
}

export function Markdown({ blocks, linksWithin = false }: MarkdownProps) {
  const inline = (text: string) => renderInline(text, linksWithin)
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, and are replaced together
    <Fragment key={index}>{renderBlock(block, inline)}</Fragment>
  ))
}

function renderBlock(block: MarkdownBlock, inline: (text: string) => ReactNode): ReactNode {
  if (block.kind === 'table') return renderTable(block, inline)
  if ('items' in block) {
    const List = block.kind
    const hasTitles = block.items.some(({ title }) => title !== null)
    return (
      <List className={hasTitles ? 'grid gap-y-3' : undefined}>
        {block.items.map(({ title, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
          <li key={index}>
            {title === null ? (
              inline(text)
            ) : (
              <>
                <h3 className="mt-0">{inline(title)}</h3>
                <p>{inline(text)}</p>
              </>
            )}
          </li>
        ))}
      </List>
    )
  }
  if (block.kind === 'p') return <p>{inline(block.text)}</p>
  const Heading = block.kind
  return <Heading id={block.id}>{inline(block.text)}</Heading>
}

function renderTable(
  { caption, rows: [columns = [], ...rows] }: Extract<MarkdownBlock, { kind: 'table' }>,
  inline: (text: string) => ReactNode,
): ReactNode {
  return (
    <table>
      {caption !== null && (
        <caption className="pb-1 text-left text-fine text-ink-soft">{inline(caption)}</caption>
      )}
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {inline(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([heading = '', ...cells]) => (
          <tr key={heading}>
            <th scope="row">{inline(heading)}</th>
            {cells.map((cell, index) => (
              <td key={columns[index + 1]}>{inline(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const INLINE = /\*\*(?<bold>[^*]+)\*\*|\[(?<label>[^\][]+)\]\((?<url>[^\s()]+)\)/g

function renderInline(text: string, linksWithin: boolean): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const { index, groups, 0: source } of text.matchAll(INLINE)) {
    const { bold, label, url = '' } = groups ?? {}
    const href = bold === undefined ? safeHref(url) : null
    parts.push(text.slice(end, index))
    if (bold !== undefined) parts.push(<strong key={index}>{renderInline(bold, linksWithin)}</strong>)
    else if (linksWithin && url.startsWith('/'))
      parts.push(
        <Link key={index} href={url}>
          {label}
        </Link>,
      )
    else if (href !== null)
      parts.push(
        <a key={index} href={href}>
          {label}
        </a>,
      )
    else parts.push(source)
    end = index + source.length
  }
  parts.push(text.slice(end))
  return parts
}

const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:']

/** Null for addresses that could run a script, and for those that are not complete. */
function safeHref(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return SAFE_PROTOCOLS.includes(protocol) ? href : null
}
