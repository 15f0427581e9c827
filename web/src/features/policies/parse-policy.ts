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

/** Objects of figures, which a text names with a path such as `{disputeTimes.decision}`. */
export interface Figures {
  [name: string]: string | number | Figures
}

/**
 * Reads a built-in policy: a title, a summary, and sections with an anchor, such as `## Your rights {#rights}`. Figures
 * in curly brackets are filled in.
 */
export function parsePolicy(text: string, figures: Figures): ParsedPolicy {
  const filled = text.replace(/\{([\w.]+)\}/g, (_, path: string) => figureAt(figures, path))
  const [head = '', ...parts] = filled.split(/^## (.+) \{#([\w-]+)\}$/m)
  const [title = '', summary = ''] = head.trim().split('\n\n')
  const sections = []
  for (let at = 0; at < parts.length; at += 3) {
    const [title = '', id = '', body = ''] = parts.slice(at)
    sections.push({ id, title, blocks: parseMarkdown(body) })
  }
  return { title: title.replace('# ', ''), summary, sections }
}

function figureAt(figures: Figures, path: string): string {
  const found = path
    .split('.')
    .reduce<Figures[string] | undefined>(
      (at, name) => (typeof at === 'object' ? at[name] : undefined),
      figures,
    )
  if (found === undefined || typeof found === 'object') throw new Error(`policies have no figure ${path}`)
  return String(found)
}
