import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'

export interface Page {
  title: string
  main: Html
  /** The path below which the sandbox's own pages lie, as browsers see it. */
  base: string
  nav?: Html
  /** Where a form of this page may end up. Browsers hold the redirects of a form to this as well. */
  formTarget?: string | null
  status?: number
}

/** Sends a page. It has no scripts, and is let have none. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const target = page.formTarget && URL.canParse(page.formTarget) ? ` ${new URL(page.formTarget).origin}` : ''
  return reply
    .code(page.status ?? 200)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`,
      // With less than this, a browser would not say where a form comes from.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(renderDocument(page).text)
}

function renderDocument({ title, main, base, nav }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Payment sandbox</title>
<link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<p class="test-mode"><strong>Test mode</strong> No card is charged and no money moves.</p>
${nav}
</header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`
}

/** An amount of cents, as people write it. */
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
}

/** A moment, to the second, where everybody reads the same. */
export function formatTime(at: Date | number): Html {
  const iso = new Date(typeof at === 'number' ? at * 1_000 : at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}
