import type { ApiList } from '../lists.ts'
import { type Html, html } from './html.ts'

interface Column<Row> {
  name: string
  figure?: true
  cell(row: Row): Html | string | number
}

/** A table that scrolls horizontally on narrow screens. */
export function table<Row>(label: string, rows: Row[], columns: Column<Row>[], empty: string): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const heads = columns.map(({ name, figure }) => html`<th scope="col"${figureClass(figure)}>${name}</th>`)
  const lines = rows.map(
    (row) =>
      html`<tr>${columns.map(({ cell, figure }) => html`<td${figureClass(figure)}>${cell(row)}</td>`)}</tr>
`,
  )
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
<table>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody>
</table>
</div>`
}

const figureClass = (figure?: true) => figure && html` class="figure"`

export function olderLink(path: string, list: ApiList<{ id: string }>): Html | false {
  const last = list.data.at(-1)
  return list.has_more && last !== undefined && html`<p><a href="${path}?before=${last.id}">Older</a></p>`
}

const GOOD = new Set(['succeeded', 'delivered', 'active', 'approved', 'available', 'won', 'enabled', 'paid'])
const BAD = new Set(['failed', 'canceled', 'disabled', 'dropped', 'lost', 'disputed', 'restricted'])

/** A state as text, with a matching colour. */
export function badge(state: string): Html {
  const tone = GOOD.has(state) ? 'good' : BAD.has(state) ? 'bad' : 'open'
  return html`<span class="badge ${tone}">${state.replaceAll('_', ' ')}</span>`
}

export function factList(entries: [name: string, value: Html | string | number][]): Html {
  const pairs = entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)
  return html`<dl class="facts">${pairs}</dl>`
}

/** A form with one button. */
export function button(action: string, label: string, tone: '' | 'danger' | 'primary' = ''): Html {
  return html`<form method="post" action="${action}"><button class="${tone}">${label}</button></form>`
}
