import { type AccentColours, accentColours } from '@sought/contract/accent-colours'
import { breakLines, cutLines, keepDrawable, measureText, outlineText, shortenTo } from './text-outlines.ts'

/** The content of a link preview's picture. */
export interface Preview {
  /** The name of the market. */
  brand: string
  /** Its accent; null for the default. */
  accentColor: string | null
  /** Shown above the title, separated by dots. */
  overline: string[]
  title: string
  tag: string
}

export const PREVIEW_SIZE = { width: 1200, height: 630 } as const
/** The position of the photo. */
export const PREVIEW_PHOTO = { left: 732, top: 48, width: 420, height: 534 } as const

const COLORS = {
  ground: '#f3eee1',
  paper: '#fefcf6',
  line: '#dbd4c4',
  ink: '#14211b',
  soft: '#4f5750',
} as const

const CARD = { left: 48, top: 48, right: 1152, bottom: 582 } as const
const PADDING = 60
const LEFT = CARD.left + PADDING

const brand = { face: 'display', sizePixels: 38 } as const
const overlineStyle = { face: 'plain', sizePixels: 28 } as const
const tagStyle = { face: 'display', sizePixels: 42 } as const
/** The largest style in which the title fits is used. */
const titleStyles = [
  { style: { face: 'display', sizePixels: 76 }, lines: 2 },
  { style: { face: 'display', sizePixels: 60 }, lines: 3 },
] as const
const LINE_HEIGHT = 1.1

const MARK =
  'M11.5 3H28a2 2 0 0 1 2 2v22a2 2 0 0 1-2 2H11.5a2.5 2.5 0 0 1-2-1L1.9 17.5a2.5 2.5 0 0 1 0-3L9.5 4a2.5 2.5 0 0 1 2-1Z'
const MARK_LETTER =
  'M23.2 11.6c-.6-1.7-2-2.6-3.9-2.6-2.3 0-3.9 1.3-3.9 3.2 0 2.1 1.6 2.9 4 3.6 2.7.8 4.5 1.7 4.5 4.1 0 2.2-1.8 3.6-4.5 3.6-2.4 0-4-1.1-4.6-3.1'

/**
 * The picture as SVG, without the photo. Leaves out characters that our fonts lack, because the link shows them as
 * text.
 */
export function drawPreview(preview: Preview, hasPhoto: boolean): string {
  const right = (hasPhoto ? PREVIEW_PHOTO.left : CARD.right) - PADDING
  const width = right - LEFT
  const { ground, paper, line, ink, soft } = COLORS
  const colours = accentColours(preview.accentColor, 'light')
  const facts = preview.overline.map((fact) => keepDrawable(fact, 'plain')).filter((fact) => fact !== null)
  const title = keepDrawable(preview.title, 'display')
  const overline = shortenTo(facts.join(' · '), overlineStyle, width)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}">
<rect width="100%" height="100%" fill="${ground}"/>
<rect x="${CARD.left}" y="${CARD.top}" width="${CARD.right - CARD.left}" height="${CARD.bottom - CARD.top}" rx="6" fill="${paper}" stroke="${line}" stroke-width="2"/>
${drawBrand(preview.brand, width, colours)}
<g fill="${soft}">${outlineText(overline, overlineStyle, LEFT, 226)}</g>
<g fill="${ink}">${title ? drawTitle(title, width) : ''}</g>
${drawTag(preview.tag, width, colours)}
</svg>`
}

function drawBrand(name: string, width: number, { accent, ink }: AccentColours): string {
  return `<g transform="translate(${LEFT} 98) scale(1.5)"><path d="${MARK}" fill="${accent}"/><circle cx="8.6" cy="16" r="2" fill="${ink}"/><path d="${MARK_LETTER}" fill="none" stroke="${ink}" stroke-width="2.6" stroke-linecap="round"/></g>
<g fill="${accent}">${outlineText(shortenTo(keepDrawable(name, 'display') ?? '', brand, width - 64), brand, LEFT + 64, 134)}</g>`
}

function drawTitle(title: string, width: number): string {
  const { style, lines } = fitTitle(title, width)
  const step = style.sizePixels * LINE_HEIGHT
  return lines
    .map((line, index) => outlineText(line, style, LEFT, Math.round(246 + step * (index + 0.8))))
    .join('')
}

function fitTitle(title: string, width: number) {
  for (const { style, lines: linesMax } of titleStyles) {
    const lines = breakLines(title, style, width, linesMax)
    if (lines) return { style, lines }
  }
  const { style, lines } = titleStyles[1]
  return { style, lines: cutLines(title, style, width, lines) }
}

const TAG = { top: 474, height: 68, point: 28, padding: 24 } as const

function drawTag(tag: string, width: number, { accent, ink }: AccentColours): string {
  const text = shortenTo(tag, tagStyle, width - TAG.point - TAG.padding)
  const right = Math.ceil(LEFT + TAG.point + measureText(text, tagStyle) + TAG.padding)
  const middle = TAG.top + TAG.height / 2
  const corner = LEFT + TAG.point - 6
  return `<path fill="${accent}" d="M${LEFT} ${middle}L${corner} ${TAG.top}H${right}v${TAG.height}H${corner}Z"/>
<g fill="${ink}">${outlineText(text, tagStyle, LEFT + TAG.point, middle + 14)}</g>`
}
