import { type Figures, fillFigures, splitSections } from '../../shared/policies/built-in-text.ts'
import { type MarkdownBlock, parseMarkdown } from '../../shared/policies/markdown.tsx'

export interface ParsedPolicy {
  title: string
  /** The policy in two sentences. */
  summary: string
  sections: {
    /** The anchor that other pages and emails link to, so it must never change. */
    id: string
    title: string
    blocks: MarkdownBlock[]
  }[]
}

/** Reads a built-in policy: a title, a summary, and sections. */
export function parsePolicy(text: string, figures: Figures): ParsedPolicy {
  const { head, sections } = splitSections(fillFigures(text, figures), '##')
  const [title = '', summary = ''] = head.trim().split('\n\n')
  return {
    title: title.replace('# ', ''),
    summary,
    sections: sections.map(({ id, title, body }) => ({ id, title, blocks: parseMarkdown(body) })),
  }
}
