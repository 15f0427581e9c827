import type { Call } from '@sought/contract/call'
import { refusals } from '@sought/contract/refusals'
import * as z from 'zod/mini'
import { escaped } from '../core/escape-html.ts'
import { refusalsOf } from './openapi.ts'

/** The API documentation: one HTML page without scripts that lists every call with its input, reply and errors. */
export function apiPage(calls: Record<string, Call>, marketName: string): string {
  const sections = Object.entries(calls).map(([name, call]) => section(name, call))
  const links = Object.entries(calls).map(([name, { method, path }]) => {
    return html`<li><a href="#${name}"><b>${method}</b> ${path}</a></li>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(marketName)} API</title>
<style>${STYLE}</style>
</head>
<body>
<nav aria-label="Calls"><ol>${links.join('')}</ol></nav>
<main>
<h1>${escaped(marketName)} API</h1>
<p>Also available as an <a href="/api/docs/openapi.json">OpenAPI document</a>. Errors are JSON with a
<code>code</code> and a <code>message</code>. Validation errors also list their <code>issues</code>.</p>
${sections.join('\n')}
</main>
</body>
</html>
`
}

function section(name: string, call: Call): string {
  const input = (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    return schema ? [details(part, schema, 'input')] : []
  })
  const errors = refusalsOf(call).map((code) => {
    return html`<li><b>${String(refusals[code].status)}</b> <code>${code}</code> ${refusals[code].message}</li>`
  })
  return `<section id="${escaped(name)}">
${html`<h2><b>${call.method}</b> ${call.path}</h2>
<p>${call.summary}. <em>${ACCESS_TEXTS[call.access]}</em></p>`}
${input.join('')}
${typeof call.reply === 'string' ? html`<p>Replies with: ${call.reply}.</p>` : details('reply', call.reply, 'output')}
${errors.length > 0 ? `<ul>${errors.join('')}</ul>` : ''}
</section>`
}

const ACCESS_TEXTS = {
  public: 'Open to anyone.',
  user: 'Requires sign-in.',
  admin: 'Requires an admin account.',
  moderator: 'Requires a moderator or an admin.',
  finance: 'Requires the finance role or an admin.',
}

function details(part: string, schema: z.ZodMiniType, io: 'input' | 'output'): string {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return html`<details><summary>${part}</summary><pre>${JSON.stringify(shape, null, 2)}</pre></details>`
}

/** A template tag that escapes all values. */
function html(parts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: parts }, ...values.map(escaped))
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882 }
body { display: grid; grid-template-columns: 22rem minmax(0, 56rem); gap: 3rem; margin: 0; padding: 2rem; font: 16px/1.6 system-ui, sans-serif }
nav ol { position: sticky; top: 2rem; max-height: calc(100vh - 4rem); overflow: auto; margin: 0; padding: 0; list-style: none; font-size: 13px }
section { border-top: 1px solid var(--line); padding: 1.5rem 0 }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
pre { overflow: auto; padding: 1rem; background: var(--soft); border-radius: 6px; font-size: 13px }
summary { cursor: pointer }
@media (max-width: 800px) { body { grid-template-columns: minmax(0, 1fr); padding: 1rem } nav { display: none } }
`
