import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calls } from '../contract/src/calls.ts'
import { refusals } from '../contract/src/refusals.ts'
import { root } from './child.ts'

/* Finds rules of ours that the proxies no longer follow. `npm run proof -- rolling-restart` runs the proxies. */

/** More than the form fields around a file need. */
const FORM_BYTES = 100_000

const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')
const nginx = read('nginx.conf')
const caddy = read('Caddyfile')

test('the proxies accept the largest upload', () => {
  const largest = Math.max(...Object.values(calls).map(({ upload }) => upload?.maxBytes ?? 0)) + FORM_BYTES
  expect(largest).toBeGreaterThan(FORM_BYTES)
  const limits = [
    Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]) * 2 ** 20,
    Number(/max_size (\d+)MB/.exec(caddy)?.[1]) * 1e6,
    Number(/int\(\{header\.Content-Length\}\) > (\d+)/.exec(caddy)?.[1]),
  ]
  for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(largest)
})

test('errors of the proxies have our codes and messages', () => {
  for (const code of ['unavailable', 'too_large'] as const) {
    const { message, status } = refusals[code]
    const body = JSON.stringify({ code, message })
    expect(nginx).toContain(`return ${status} '${body}';`)
    expect(caddy).toContain(`\`${body}\` ${status}`)
  }
})
