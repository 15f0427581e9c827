import { Fragment, type ReactNode } from 'react'

/**
 * The subset of Markdown for operators' policies: headings, paragraphs, lists, bold text and links to websites and
 * email addresses. Everything else, including HTML, is shown unchanged.
 */
export type MarkdownBlock =
  | { kind: 'h2' | 'h3'; id: string; text: string }
  | { kind: 'p'; text: string }
  | { kind: 'ul' | 'ol'; items: string[] }

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
      const item = text.slice(bullet[0].length)
      if (last?.kind === kind) last.items.push(item)
      else blocks.push({ kind, items: [item] })
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
  if ('items' in block) block.items.push(`${block.items.pop()} ${text}`)
  else block.text += ` ${text}`
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

export function Markdown({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity, and are replaced together
    <Fragment key={index}>{renderBlock(block)}</Fragment>
  ))
}

function renderBlock(block: MarkdownBlock): ReactNode {
  if ('items' in block) {
    const List = block.kind
    return (
      <List>
        {block.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be the same
          <li key={index}>{renderInline(item)}</li>
        ))}
      </List>
    )
  }
  if (block.kind === 'p') return <p>{renderInline(block.text)}</p>
  const Heading = block.kind
  return <Heading id={block.id}>{renderInline(block.text)}</Heading>
}

const INLINE = /\*\*(?<bold>[^*]+)\*\*|\[(?<label>[^\][]+)\]\((?<url>[^\s()]+)\)/g

function renderInline(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const { bold, label = '', url = '' } = match.groups ?? {}
    parts.push(text.slice(end, match.index))
    const href = bold === undefined ? safeHref(url) : null
    if (bold !== undefined) parts.push(<strong key={match.index}>{renderInline(bold)}</strong>)
    else if (href === null) parts.push(match[0])
    else
      parts.push(
        <a key={match.index} href={href}>
          {label}
        </a>,
      )
    end = match.index + match[0].length
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
