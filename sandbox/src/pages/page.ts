import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'

export interface Page {
  title: string
  main: Html
  /** The public path prefix of the sandbox's pages. */
  base: string
  nav?: Html
  /** A URL that forms of this page redirect to. The CSP `form-action` applies to redirects too. */
  formTarget?: string | null
  status?: number
}

/** Sends a page. Its CSP allows no scripts. */
export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const target = page.formTarget && URL.canParse(page.formTarget) ? ` ${new URL(page.formTarget).origin}` : ''
  return reply
    .code(page.status ?? 200)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`,
      // A stricter policy would make browsers send `Origin: null` with forms.
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

export function formatTime(at: Date | number): Html {
  const iso = new Date(typeof at === 'number' ? at * 1_000 : at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`
}
