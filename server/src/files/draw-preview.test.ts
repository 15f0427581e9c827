import { expect, test } from 'vitest'
import { drawPreview, PREVIEW_PHOTO, type Preview } from './draw-preview.ts'

const LAMP: Preview = {
  brand: 'Sought',
  accentColor: null,
  overline: ['Other', 'Paris'],
  title: 'Lamp',
  tag: '$5 – $20',
}
/** The right edge of the texts. */
const RIGHT = 1_092
const RIGHT_WITH_PHOTO = PREVIEW_PHOTO.left - 60

/** The start of each line of text, as x and y of its baseline. */
function linesOf(svg: string): [x: number, y: number][] {
  return [...svg.matchAll(/translate\(([\d.]+) ([\d.]+)\) scale\([\d.]+ -/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
}

const rightOfTag = (svg: string) => Number(/d="M108 508L130 474H(\d+)v68H130Z"/.exec(svg)?.[1])

const BRAND = [172, 134]
const OVERLINE = [108, 226]
const TAG = [136, 522]

test('the texts are drawn below each other: brand, facts, title and tag', () => {
  const svg = drawPreview(LAMP, false)
  expect(linesOf(svg)).toEqual([BRAND, OVERLINE, [108, 313], TAG])
  expect(svg).toContain('<rect x="48" y="48" width="1104" height="534"')
  expect(rightOfTag(svg)).toBe(329)
})

test('a title has two large lines or three smaller ones, and a longer one is cut', () => {
  const titleOf = (title: string, hasPhoto: boolean) =>
    linesOf(drawPreview({ ...LAMP, title }, hasPhoto)).slice(2, -1)
  const title = 'Solar calculator from the 1980s with proper keys'
  expect(titleOf(title, false)).toEqual([
    [108, 313],
    [108, 396],
  ])
  const small = [
    [108, 299],
    [108, 365],
    [108, 431],
  ]
  expect(titleOf(title, true)).toEqual(small)
  expect(titleOf(`${title} `.repeat(9), true)).toEqual(small)
})

test.each([
  [false, RIGHT],
  [true, RIGHT_WITH_PHOTO],
])('long texts are cut at the edge, with a photo: %s', { tags: ['proof'] }, (hasPhoto, right) => {
  const long = 'mmmm '.repeat(80)
  const drawn = (preview: Partial<Preview>) => drawPreview({ ...LAMP, ...preview }, hasPhoto)
  const tag = rightOfTag(drawn({ tag: long }))
  expect(tag).toBeLessThanOrEqual(right)
  expect(tag).toBeGreaterThan(right - 100)
  // Text beyond the edge is not drawn.
  expect(drawn({ brand: long })).toBe(drawn({ brand: `${long}more` }))
  expect(drawn({ overline: [long] })).toBe(drawn({ overline: [long, 'more'] }))
  expect(drawn({ brand: long })).not.toBe(drawn({}))
})

test('texts that the fonts cannot draw are left out', () => {
  const hidden = { brand: '日本', overline: ['日本', 'Paris'], title: '日本' }
  expect(linesOf(drawPreview({ ...LAMP, ...hidden }, false))).toEqual([OVERLINE, TAG])
})
