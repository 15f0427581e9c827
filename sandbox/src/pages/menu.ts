import { type Html, html } from './html.ts'

const SECTIONS = [
  ['', 'Overview'],
  ['/payments', 'Payments'],
  ['/refunds', 'Refunds'],
  ['/disputes', 'Disputes'],
  ['/transfers', 'Transfers'],
  ['/balance', 'Balance'],
  ['/payouts', 'Payouts'],
  ['/accounts', 'Accounts'],
  ['/webhooks', 'Webhooks'],
  ['/events', 'Events'],
] as const

export type Section = (typeof SECTIONS)[number][1]

export function menu(base: string, current: Section): Html {
  const links = SECTIONS.map(
    ([path, name]) =>
      html`<li><a href="${base + path || '/'}"${name === current ? html` aria-current="page"` : ''}>${name}</a></li>`,
  )
  return html`<div class="top">
<p class="name">Payment sandbox</p>
<nav aria-label="Sandbox"><ul>${links}</ul></nav>
</div>`
}
