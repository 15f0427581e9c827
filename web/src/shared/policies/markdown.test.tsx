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
  ['2 * 3 ** 4 [a] (b)', '<p>2 * 3 ** 4 [a] (b)</p>'],
])('%j is shown with its structure', (source, markup) => {
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
])('%j runs nothing and links nowhere', (source) => {
  const markup = render(source)
  expect(markup).not.toMatch(/<(?!\/?(p|strong|h2)[ >])/)
  expect(markup).not.toContain('href')
})

test('a quote in a link cannot add an attribute', () => {
  const markup = render('[a](https://a.example/"onmouseover="alert`1`)')
  expect(markup).toMatch(/^<p><a href="[^"]*">a<\/a><\/p>$/)
})

test.each(['*', '**a', '[', '[a](', '[a](http:', '# ', '- ', '1. ', '\r', ' #', '**[a](x)'])(
  'many %j are shown without waiting',
  (part) => {
    // Quadratic parsing would exceed the time limit of the test.
    expect(render(`end ${part.repeat(50_000 / part.length)}`)).toMatch(/^<(p|h2)/)
  },
)
