import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown, parseMarkdown } from './markdown.tsx'

const render = (source: string) => renderToStaticMarkup(<Markdown blocks={parseMarkdown(source)} />)

test.each([
  [
    '# Terms\n## Who we are ##1\n### Details',
    /<h2 id="section-terms">Terms<\/h2><h2 .*<h3 id="section-details">/,
  ],
  ['One\ntwo\n\nthree', '<p>One two</p><p>three</p>'],
  ['- a\n- b\n  more\n\n1. c\n2) d', '<ul><li>a</li><li>b more</li></ul><ol><li>c</li><li>d</li></ol>'],
  ['Text\n* a\n## Next\nafter', /<p>Text<\/p><ul><li>a<\/li><\/ul><h2 .*<\/h2><p>after<\/p>/],
  ['a **bold** word', '<p>a <strong>bold</strong> word</p>'],
  ['**[site](https://a.example)**', '<p><strong><a href="https://a.example/">site</a></strong></p>'],
  ['[us](mailto:us@a.example)', '<p><a href="mailto:us@a.example">us</a></p>'],
  [
    'Table: Times\n\n| Step | Time |\n| --- | --- |\n| Review | **1** day |\n\nafter',
    '<table><caption class="pb-1 text-left text-fine text-ink-soft">Times</caption><thead><tr><th scope="col">Step</th><th scope="col">Time</th></tr></thead><tbody><tr><th scope="row">Review</th><td><strong>1</strong> day</td></tr></tbody></table><p>after</p>',
  ],
  [
    '1. ### Review\n   We read it.',
    '<ol class="grid gap-y-3"><li><h3 class="mt-0">Review</h3><p>We read it.</p></li></ol>',
  ],
  ['2 * 3 ** 4 [a] (b)', '<p>2 * 3 ** 4 [a] (b)</p>'],
])('%j is rendered with its structure', (source, markup) => {
  if (typeof markup === 'string') expect(render(source)).toBe(markup)
  else expect(render(source)).toMatch(markup)
})

test('two headings with the same text have different ids', () => {
  const ids = parseMarkdown('## A\n## A\n## A-2\n## !').map((block) => 'id' in block && block.id)
  expect(ids).toEqual(['section-a', 'section-a-2', 'section-a-2-2', 'section-'])
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert`1`)',
  '[a](JaVaScRiPt:alert`1`)',
  '[a](\u0001javascript:alert`1`)',
  '[a](data:text/html,x)',
  '[a](vbscript:x)',
  '[a](//evil.example)',
  '[a](/admin)',
  '[<b>](javascript:x)',
  '**<iframe src="https://evil.example">**',
  '## <svg onload=alert(1)>',
])('%j runs no script and has no link', (source) => {
  const markup = render(source)
  expect(markup).not.toMatch(/<(?!\/?(p|strong|h2)[ >])/)
  expect(markup).not.toContain('href')
})

test('only built-in texts can link to pages of the market', () => {
  const blocks = parseMarkdown('[help](/help#contact)')
  expect(renderToStaticMarkup(<Markdown blocks={blocks} linksWithin />)).toBe(
    '<p><a href="/help#contact">help</a></p>',
  )
})

test('a quote in a link cannot add an attribute', () => {
  const markup = render('[a](https://a.example/"onmouseover="alert`1`)')
  expect(markup).toMatch(/^<p><a href="[^"]*">a<\/a><\/p>$/)
})

test.each(['*', '**a', '[', '[a](', '[a](http:', '# ', '- ', '1. ', '\r', ' #', '**[a](x)'])(
  'many %j are rendered without a delay',
  (part) => {
    // Quadratic parsing would exceed the time limit of the test.
    expect(render(`end ${part.repeat(50_000 / part.length)}`)).toMatch(/^<(p|h2)/)
  },
)
