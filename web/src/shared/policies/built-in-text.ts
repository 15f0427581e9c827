/* The built-in texts are Markdown files with figures in curly brackets and headings with anchors. */

/** Objects of figures, which a text names with a path such as `{disputeTimes.decision}`. */
export interface Figures {
  [name: string]: string | number | Figures
}

export const fillFigures = (text: string, figures: Figures): string =>
  text.replace(/\{([\w.]+)\}/g, (_, path: string) => figureAt(figures, path))

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

/** The text before the first heading of a level, and each section such as `## Your rights {#rights}`. */
export function splitSections(text: string, level: '#' | '##') {
  const [head = '', ...parts] = text.split(new RegExp(`^${level} (.+) \\{#([\\w-]+)\\}$`, 'm'))
  const sections: { id: string; title: string; body: string }[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const [title = '', id = '', body = ''] = parts.slice(at)
    sections.push({ id, title, body })
  }
  return { head, sections }
}
