import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accentVariables, STANDARD_ACCENT } from '../contract/src/accent-colours.ts'
import { root } from './child.ts'

const { light, dark } = STANDARD_ACCENT

/* Files that cannot import the default colours. */
test.each([
  [
    'web/src/styles/tokens.css',
    Object.entries(accentVariables(null)).map(([name, value]) => `${name}: ${value};`),
  ],
  [
    'web/public/offline.html',
    [
      `--accent: light-dark(${light.accent}, ${dark.accent});`,
      `--accent-ink: light-dark(${light.ink}, ${dark.ink});`,
    ],
  ],
  [
    'sandbox/src/pages/style.css',
    [
      `--accent: light-dark(${light.accent}, ${dark.accent});`,
      `--accent-ink: light-dark(${light.ink}, ${dark.ink});`,
      `--accent-wash: light-dark(${light.wash}, ${dark.wash});`,
    ],
  ],
  [
    'web/public/favicon.svg',
    [
      `.card { fill: ${light.accent} } .mark { stroke: ${light.ink};`,
      `.card { fill: ${dark.accent} } .mark { stroke: ${dark.ink} }`,
    ],
  ],
  ['web/index.html', [`<link rel="mask-icon" href="/favicon.svg" color="${light.accent}" />`]],
])('%s has the default green', (file, parts) => {
  const text = readFileSync(join(root, file), 'utf8')
  for (const part of parts) expect(text).toContain(part)
})
